// Reads manifests of Kubernetes from standard input, and fails where one has a kind, a member or a type that Kubernetes does not know, or a
// name, a label or an annotation that it refuses.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
)

// refusals are the names, labels and annotations that Kubernetes refuses.
func refusals(object runtime.Object) field.ErrorList {
	name := validation.NameIsDNSSubdomain
	var pod *core.PodTemplateSpec
	switch kind := object.(type) {
	case *core.Service:
		name = validation.NameIsDNS1035Label
	case *batch.Job:
		// A label of its pods has the name.
		name, pod = validation.NameIsDNSLabel, &kind.Spec.Template
	case *apps.Deployment:
		pod = &kind.Spec.Template
	}
	found := validation.ValidateObjectMetaAccessor(object.(meta.Object), false, name, field.NewPath("metadata"))
	if pod != nil {
		pod.Name = "pod"
		found = append(found, validation.ValidateObjectMetaAccessor(pod, false, name, field.NewPath("spec", "template", "metadata"))...)
	}
	return found
}

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
		object, _, err := decoder.Decode(document, nil, nil)
		if err == nil {
			err = refusals(object).ToAggregate()
		}
		if err != nil {
			wrong++
			fmt.Fprintln(os.Stderr, err)
		}
	}
	fmt.Printf("%d of %d manifests are wrong\n", wrong, count)
	if wrong > 0 || count == 0 {
		os.Exit(1)
	}
}
