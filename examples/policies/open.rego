# No rule lets everybody reach everybody.
package main

import rego.v1

deny_open_to_all contains message if {
	some change in input.resource_changes
	change.type == "policy"
	some action in change.change.actions
	action in {"create", "update"}
	policy := change.change.after
	object.get(policy, "enabled", true)
	some rule in policy.rules
	object.get(rule, "enabled", true)
	object.get(rule, "action", "accept") == "accept"
	"All" in object.get(rule, "sources", [])
	"All" in object.get(rule, "destinations", [])
	message := sprintf("%s lets everybody reach everybody", [change.address])
}

# A policy whose rules are not in the files (`lifecycle.ignore`) keeps those of the account: the plan does not show them.
deny_unseen_rules contains message if {
	some change in input.resource_changes
	change.type == "policy"
	is_object(change.change.after)
	object.get(change.change.after, "enabled", true)
	not change.change.after.rules
	message := sprintf("%s is changed, and the plan does not show its rules", [change.address])
}
