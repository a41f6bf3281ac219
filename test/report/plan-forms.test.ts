// The plan documents of the scenarios show every form that a reader of the document looks for. `scenarios.test.ts` holds the list of all
// forms against the scenarios.
import { expect, test } from 'vitest';
import { LISTED_FORMS } from '../support/project/planForms.ts';

/** What a reader of the document looks for, and where it stands. */
const FORMS = {
  'a plan that can be applied': 'applyable true',
  'a plan with nothing to apply': 'applyable false',
  'a plan with an error': 'errored true',
  'dialect spec': 'meshform.dialect spec',
  'dialect netbird': 'meshform.dialect netbird',
  'a create': 'meshform.actions[].verb create',
  'an update': 'meshform.actions[].verb update',
  'a delete': 'meshform.actions[].verb delete',
  'a replacement': 'meshform.changes[].type replace',
  'a field that replaces its object': 'meshform.changes[].fields[].replaces true',
  'a field by its default': 'meshform.changes[].fields[].by_default true',
  'members of a shared set that are added': 'meshform.actions[].members.*.add[]',
  'members of a shared set that are removed': 'meshform.actions[].members.*.remove[]',
  'members of a shared set that stay': 'meshform.actions[].members.*.keep[]',
  'a rename': 'meshform.changes[].was',
  'a change that another one brings': 'meshform.changes[].with',
  'what changed since the base': 'meshform.changes[].since',
  'a note': 'meshform.changes[].notes[]',
  'a part of an object': 'meshform.actions[].part_of',
  'an object below another': 'meshform.actions[].parent_id',
  'a precondition that names children':
    'meshform.actions[].precondition.children[].objects[].digest',
  'a hazard that is allowed': 'meshform.actions[].hazards[].allowed true',
  'a hazard that is not': 'meshform.actions[].hazards[].allowed false',
  'a secret before': 'meshform.changes[].before $secret',
  'a secret after': 'meshform.changes[].after $secret',
  'a secret that is sent': 'meshform.actions[].fields $secret',
  'a URL of which the host is shown': 'meshform.changes[].after $host',
  'where secrets are declared': 'meshform.secret_sources.*[]',
  'a pin with fields of the server': 'meshform.pins[].server_fields.*',
  'what is left alone, and why': 'meshform.left_alone[].because',
  'a warning': 'meshform.diagnostics[].severity warning',
  'what is not selected': 'meshform.unselected',
  'access that is gained': 'meshform.access_changes[].change gained',
  'access that is lost': 'meshform.access_changes[].change lost',
  'what is granted, as ranges': 'meshform.access_gains[].ports[].start',
  'what of access was not read': 'meshform.access.unread[]',
  'the steps of access': 'meshform.access_steps',
  'a guard of access': 'meshform.access_guards.guarded[].to',
  'thresholds of access': 'meshform.access_guards.thresholds.gained',
  'a hazard of access that is allowed': 'meshform.access_hazards[].allowed true',
  'new access': 'meshform.new_access[]',
  'an access test that passed': 'meshform.access_tests.tests[].passed true',
  'an access test that failed': 'meshform.access_tests.tests[].failures[].misses[].message',
  'an access test that was left out': 'meshform.access_tests.judged false',
} as const;

test.each(Object.entries(FORMS))('a scenario shows %s', (_, form) => {
  expect([...LISTED_FORMS]).toContain(form);
});
