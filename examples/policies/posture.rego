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

deny_production_without_posture contains message if {
	some gain in input.meshform.access_gains
	gain.condition == "none"
	is_production(gain)
	message := sprintf("%s reaches %s without a posture check", [gain.from, gain.to])
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
