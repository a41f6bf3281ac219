# Access is what counts, not the rule that grants it: nobody gains SSH in a pull request. `access_gains` has every gain in one form:
# a new rule, another port, a group that grows, a posture check that is loosened. Rights open no port, but lead to access: a role, a
# sign-in, a token, SSH that a machine lets in, groups that all machines of a person join.
package main

import rego.v1

# SSH, and the port of NetBird's own SSH server.
ssh := {22, 22022}

deny_new_ssh contains message if {
	some gain in input.meshform.access_gains
	gain.protocol == "tcp"
	some range in gain.ports
	some port in ssh
	range.start <= port
	port <= range.end
	message := sprintf("%s gains SSH to %s", [gain.from, gain.to])
}

deny_new_right contains message if {
	some entry in input.meshform.access.rights
	message := sprintf("%s gets a right: %s", [entry.object, entry.message])
}

# Access that exists only while the plan is applied is access too.
deny_opening contains message if {
	some step in input.meshform.access_steps
	step.code == "ACCESS_OPENING"
	message := sprintf("%s reaches %s during the apply", [step.from, step.to])
}
