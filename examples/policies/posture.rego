# Nothing reaches production without a posture check: a policy whose rules lead to a group of production names at least one.
package main

import rego.v1

# Groups of production, by their names.
is_production(group) if startswith(group, "prod")

deny_production_without_posture contains message if {
	some change in input.resource_changes
	change.type == "policy"
	some action in change.change.actions
	action in {"create", "update"}
	policy := change.change.after
	object.get(policy, "enabled", true)
	count(object.get(policy, "source_posture_checks", [])) == 0
	some rule in policy.rules
	some group in object.get(rule, "destinations", [])
	is_production(group)
	message := sprintf("%s leads to %s without a posture check", [change.address, group])
}
