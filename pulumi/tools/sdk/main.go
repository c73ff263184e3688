// Command pulumi-sdk writes the SDK of a package schema in one language into a folder. The command line asks an installed host of the
// language for it; the generators alone were last published together with this module.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "platform-sync"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"csharp": func(pkg *schema.Package) (map[string][]byte, error) {
		http.DefaultTransport = emptyPicture{}
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
}

func main() {
	if len(os.Args) != 4 || generators[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: pulumi-sdk csharp|go|nodejs|python SCHEMA.json FOLDER"))
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		fail(err)
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		fail(err)
	}
	// Binding holds the schema against Pulumi's metaschema, too.
	pkg, problems, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		fail(err)
	}
	if problems.HasErrors() {
		fail(problems)
	}
	for _, warning := range problems {
		fmt.Fprintln(os.Stderr, warning.Summary)
	}
	files, err := generators[os.Args[1]](pkg)
	if err != nil {
		fail(err)
	}
	for name, content := range files {
		path := filepath.Join(os.Args[3], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			fail(err)
		}
	}
}

// emptyPicture answers every request: the generator of C# asks the network for a logo, and nothing else.
type emptyPicture struct{}

func (emptyPicture) RoundTrip(*http.Request) (*http.Response, error) {
	var picture bytes.Buffer
	err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 64, 64)))
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&picture)}, err
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
