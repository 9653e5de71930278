// The shop as a Go program that uses the plugin.
package main

import (
	"example.com/infrasync/sdk/go/infrasync"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cluster, err := infrasync.LookupCluster(ctx, &infrasync.LookupClusterArgs{Name: "eu-west"})
		if err != nil {
			return err
		}
		shop, err := infrasync.NewProject(ctx, "shop", &infrasync.ProjectArgs{Name: pulumi.String("shop-go")})
		if err != nil {
			return err
		}
		staging, err := infrasync.NewEnvironment(ctx, "staging", &infrasync.EnvironmentArgs{
			Project: shop.ID(),
			Name:    pulumi.String("staging"),
			Mode:    pulumi.String(infrasync.EnvironmentModeStaging),
			Cluster: pulumi.String(cluster.Name),
		})
		if err != nil {
			return err
		}
		nightly, err := infrasync.NewJob(ctx, "nightly", &infrasync.JobArgs{
			Environment: staging.ID(),
			Name:        pulumi.String("nightly"),
			Source: &infrasync.JobSourceArgs{Image: &infrasync.JobSourceImageArgs{
				Registry:  pulumi.String("docker-hub"),
				ImageName: pulumi.String("acme/report"),
				Tag:       pulumi.String("1.4.2"),
			}},
			Schedule: &infrasync.JobScheduleArgs{Cronjob: &infrasync.JobScheduleCronjobArgs{
				ScheduledAt: pulumi.String("0 3 * * *"),
				Timezone:    pulumi.String("Europe/Paris"),
			}},
		})
		if err != nil {
			return err
		}
		ctx.Export("jobType", nightly.JobType)
		return nil
	})
}
