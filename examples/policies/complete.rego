# A rule about access passes a plan that does not say what it grants. So a plan that does not know everything is refused.
package main

import rego.v1

deny_unknown_access contains "the plan does not say which access it grants" if not input.meshform.access_gains

deny_unread contains message if {
	some list in input.meshform.access.unread
	message := sprintf("access was not compared: %s", [list])
}
