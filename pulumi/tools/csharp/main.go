// Command pulumi-sdk-csharp writes the SDK in C# of a package schema into a folder. The command line asks an installed host of .NET for
// it; the generator alone was last published with this module.
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
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: pulumi-sdk-csharp SCHEMA.json FOLDER"))
	}
	text, err := os.ReadFile(os.Args[1])
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
	http.DefaultTransport = emptyPicture{}
	files, err := dotnet.GeneratePackage("platform-sync", pkg, nil, nil)
	if err != nil {
		fail(err)
	}
	for name, content := range files {
		path := filepath.Join(os.Args[2], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			fail(err)
		}
	}
}

// emptyPicture answers every request: the generator asks the network for a logo, and nothing else.
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
