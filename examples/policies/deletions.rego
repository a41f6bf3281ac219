# Networks are deleted by hand, after a talk: a plan of a pipeline deletes none.
package main

import rego.v1

deny_deleted_network contains message if {
	some change in input.resource_changes
	change.type == "network"
	"delete" in change.change.actions
	message := sprintf("%s would be deleted", [change.address])
}
