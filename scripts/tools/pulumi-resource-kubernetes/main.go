// pulumi-resource-kubernetes is the plugin of @pulumi/kubernetes. The module's own main embeds files that its zip lacks;
// here they are read from beside the program.
package main

import (
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

const version = "4.25.0"

func file(name string) []byte {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	content, err := os.ReadFile(filepath.Join(filepath.Dir(program), name))
	if err != nil {
		panic(err)
	}
	return content
}

func main() {
	provider.Serve("kubernetes", version, file("schema.json"), file("terraform-mapping.json"))
}
