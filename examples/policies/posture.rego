# Nothing reaches production without a posture check, whichever rule grants it: through a group, a network resource, or a rule that
# applies in both directions.
package main

import rego.v1

# Production is the groups and the networks whose names begin with "prod".
is_production(gain) if {
	some group in gain.to_groups
	startswith(group, "prod")
}

is_production(gain) if contains(gain.to, "network_resource/prod")

# A name that is no plain word is quoted.
is_production(gain) if contains(gain.to, "network_resource[\"prod")

deny_production_without_posture contains message if {
	some gain in input.meshform.access_gains
	gain.condition == "none"
	is_production(gain)
	message := sprintf("%s reaches %s without a posture check", [gain.from, gain.to])
}

# Who leaves production can be reached without a posture check in the same plan: nobody leaves it, also not by a new name.
deny_left_production contains message if {
	some change in input.resource_changes
	change.type in {"group", "network"}
	startswith(change.change.before.name, "prod")
	not startswith(object.get(change.change, ["after", "name"], ""), "prod")
	message := sprintf("%s would no longer be production", [change.address])
}

deny_left_production contains message if {
	some change in input.resource_changes
	change.type == "group"
	startswith(change.change.before.name, "prod")
	some field in {"peers", "resources"}
	some member in change.change.before[field]
	not member in object.get(change.change, ["after", field], [])
	message := sprintf("%s would leave %s", [member, change.address])
}

deny_left_production contains message if {
	some change in input.resource_changes
	change.type == "network_resource"
	some group in change.change.before.groups
	startswith(group, "prod")
	not group in object.get(change.change, ["after", "groups"], [])
	message := sprintf("%s would leave %s", [change.address, group])
}

deny_left_production contains message if {
	some change in input.resource_changes
	change.type == "network_resource"
	"delete" in change.change.actions
	startswith(change.name, "prod")
	message := sprintf("%s would no longer be production", [change.address])
}

# Its name has that of its network; a server that can move it keeps it, so nothing is deleted.
deny_left_production contains message if {
	some change in input.meshform.changes
	change.kind == "network_resource"
	startswith(object.get(change, "was", ""), "prod")
	not startswith(change.key, "prod")
	message := sprintf("%s would no longer be production", [change.address])
}

# A posture check in use is changed by hand, after a talk: a weaker check lets more machines in.
deny_changed_posture_check contains message if {
	some change in input.resource_changes
	change.type == "posture_check"
	some action in change.change.actions
	action in {"update", "delete"}
	message := sprintf("%s would be changed", [change.address])
}

# So is a policy that no longer needs one of its checks: another check in its place may be a weaker one.
deny_lost_posture_check contains message if {
	some change in input.resource_changes
	change.type == "policy"
	is_object(change.change.after)
	some check in change.change.before.source_posture_checks
	kept := object.get(change.change.after, "source_posture_checks", [])
	not check in kept
	message := sprintf("%s would lose the posture check %s", [change.address, check])
}

# The posture checks that are enough for production: list yours.
enough := {"recent"}

# A new, enabled or changed policy that needs only other checks can take the place of a stricter one that the same plan, or a later
# one, deletes, disables or narrows. It may lead to production through any group or resource, so its destinations do not matter, and
# a disabled policy can be enabled later.
deny_weaker_posture_check contains message if {
	some change in input.resource_changes
	change.type == "policy"
	some action in change.change.actions
	action in {"create", "update"}
	checks := {check | some check in object.get(change.change.after, "source_posture_checks", [])}
	count(checks) > 0
	count(checks & enough) == 0
	message := sprintf("%s needs only posture checks that are not enough for production: %v", [change.address, checks])
}
