// Generates the SDK for .NET from a schema with Pulumi's own generator: generate-dotnet SCHEMA LOGO FOLDER. Newer versions of the module have
// no generator for .NET any more: its language host has it, which cannot be built here.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generate-dotnet SCHEMA LOGO FOLDER"))
	}
	text, err := os.ReadFile(os.Args[1])
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	// The generator downloads the logo; the version whose logo the schema names is not published yet.
	http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransport(http.Dir("/")))
	spec.LogoURL = "file://" + os.Args[2]
	pkg, err := schema.ImportSpec(spec, nil)
	fail(err)
	files, err := dotnet.GeneratePackage("infrasync", pkg, nil, nil)
	fail(err)
	for name, content := range files {
		target := filepath.Join(os.Args[3], name)
		fail(os.MkdirAll(filepath.Dir(target), 0o755))
		fail(os.WriteFile(target, content, 0o644))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
