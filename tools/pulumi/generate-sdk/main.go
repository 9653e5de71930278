// Generates an SDK from a schema with Pulumi's own generators: generate-sdk LANGUAGE SCHEMA FOLDER. The language hosts that
// can be built here are older than `pulumi package gen-sdk`, which asks a language host for the same.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generate-sdk LANGUAGE SCHEMA FOLDER"))
	}
	language, file, folder := os.Args[1], os.Args[2], os.Args[3]
	text, err := os.ReadFile(file)
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	pkg, err := schema.ImportSpec(spec, nil, schema.NewNullLoader(), schema.ValidationOptions{})
	fail(err)
	files, err := generate(language, pkg)
	fail(err)
	for name, content := range files {
		target := filepath.Join(folder, name)
		fail(os.MkdirAll(filepath.Dir(target), 0o755))
		fail(os.WriteFile(target, content, 0o644))
	}
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	const tool = "infrasync"
	switch language {
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	}
	return nil, fmt.Errorf("no generator for %s", language)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
