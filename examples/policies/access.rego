# Access is what counts, not the rule that grants it: nobody gains SSH in a pull request. The plan holds who gains which access.
package main

import rego.v1

deny_new_ssh contains message if {
	some change in input.meshform.access_changes
	change.change == "gained"
	change.protocol in {"tcp", "all"}
	some port in change.ports_after
	port in {"22", "*"}
	message := sprintf("%s gains SSH to %s", [change.from, change.to])
}
