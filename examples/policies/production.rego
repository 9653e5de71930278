# Plans that may be applied without a second look: nothing in production is deleted or replaced.
package main

deny contains message if {
	some action in input.actions
	action.type in {"delete", "replace"}
	regex.match(`^[a-z]+:[^/]+/production(/|$)`, action.address)
	message := sprintf("not without a second look: %s %s", [action.type, action.address])
}
