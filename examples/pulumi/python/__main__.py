"""The shop as a Python program that uses the plugin."""

import pulumi
import pulumi_infrasync as infrasync

cluster = infrasync.get_cluster(name="eu-west")

shop = infrasync.Project("shop", name="shop-python")

staging = infrasync.Environment(
    "staging", project=shop.id, name="staging", mode="STAGING", cluster=cluster.name
)

nightly = infrasync.Job(
    "nightly",
    environment=staging.id,
    name="nightly",
    source={"image": {"registry": "docker-hub", "image_name": "acme/report", "tag": "1.4.2"}},
    schedule={"cronjob": {"scheduled_at": "0 3 * * *", "timezone": "Europe/Paris"}},
)

pulumi.export("jobType", nightly.job_type)
