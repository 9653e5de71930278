// Generates the SDK for .NET or Java from a schema with Pulumi's own generators: generate-older dotnet SCHEMA FOLDER LOGO, or
// generate-older java SCHEMA FOLDER. Newer versions of these modules have no generator for .NET any more, or could not be verified.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: generate-older dotnet SCHEMA FOLDER LOGO, or generate-older java SCHEMA FOLDER"))
	}
	language, file, folder := os.Args[1], os.Args[2], os.Args[3]
	text, err := os.ReadFile(file)
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	if language == "dotnet" {
		// The generator downloads the logo; the version whose logo the schema names is not published yet.
		http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransport(http.Dir("/")))
		spec.LogoURL = "file://" + os.Args[4]
	}
	pkg, err := schema.ImportSpec(spec, nil)
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
	switch language {
	case "dotnet":
		return dotnet.GeneratePackage("infrasync", pkg, nil, nil)
	case "java":
		// The sources, which a program compiles with its own: no project to publish.
		return java.GeneratePackage("infrasync", pkg, nil, true)
	}
	return nil, fmt.Errorf("no generator for %s", language)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
