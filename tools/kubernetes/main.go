// Reads manifests of Kubernetes from standard input, and fails where one has a kind, a member or a type that Kubernetes does not know.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
)

func main() {
	scheme := runtime.NewScheme()
	utilruntime.Must(kubernetes.AddToScheme(scheme))
	utilruntime.Must(monitoring.AddToScheme(scheme))
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	reader := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	count, wrong := 0, 0
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		count++
		if _, _, err := decoder.Decode(document, nil, nil); err != nil {
			wrong++
			fmt.Fprintln(os.Stderr, err)
		}
	}
	fmt.Printf("%d of %d manifests are wrong\n", wrong, count)
	if wrong > 0 || count == 0 {
		os.Exit(1)
	}
}
