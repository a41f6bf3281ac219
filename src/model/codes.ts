// Every code that a person can meet, with what it means. Codes are never renamed; the docs list them from here.

export const DIAGNOSTIC_CODES = {
  SOURCE_EMPTY: 'No desired state was found where it was looked for.',
  SOURCE_UNREADABLE: 'A file or folder could not be read.',
  SOURCE_MISNAMED:
    'A file is not read, because its name is nearly that of a YAML file and not quite.',
  SOURCE_YAML: 'The text is not valid YAML.',
  SOURCE_DUPLICATE_KEY: 'One key is written twice in a mapping.',
  SOURCE_NO_KIND: 'A YAML file has no top-level key that meshform knows.',
  INPUT_NOT_ALLOWED: 'A value from outside is used where it was not allowed.',
  INPUT_FORBIDDEN: 'A value from outside is asked for that files may never read.',
  INPUT_UNDEFINED: 'A value from outside is not there.',
  INPUT_UNUSED: 'A variable was given for a run, and no file uses it.',
  SECRET_LITERAL: 'A secret is written in the clear.',
  SECRET_UNDEFINED: 'A secret that an apply will need is not there.',
  SECRET_UNREADABLE:
    'A file that holds a secret cannot be decrypted, or what it holds cannot be one.',
  ROTATE_UNKNOWN: 'What is to have a new secret is not declared, or has none.',
  SCHEMA_UNKNOWN_FIELD: 'A field is not known.',
  SCHEMA_READ_ONLY: 'A field is the server’s alone.',
  SCHEMA_MISSING_FIELD: 'A field that must be there is missing.',
  SCHEMA_EXCLUSIVE: 'Of two fields exactly one must be there.',
  SCHEMA_TYPE: 'A value is of the wrong type.',
  SCHEMA_VALUE: 'A value is not one of those allowed.',
  SCHEMA_RANGE: 'A number is outside its range.',
  SCHEMA_LENGTH: 'A text is too short or too long.',
  SCHEMA_COUNT: 'A list has too few or too many members.',
  SCHEMA_FORMAT: 'A text is not of the form it must have.',
  SCHEMA_COMBINATION: 'Two values do not go together.',
  OBJECT_DUPLICATE: 'Two declarations have one name.',
  OBJECT_NAME_TAKEN: 'Two objects have a name that the server wants to be unique.',
  OBJECT_NAMELESS: 'An object has nothing that names it.',
  OBJECT_IN_THE_WAY: 'An object excludes another one that is to be made or changed.',
  OBJECT_POINTED_AT: 'An object that is to be deleted is still pointed at.',
  REF_MALFORMED: 'A pointer is not written in a way that can be read.',
  REF_NOT_DECLARED: 'A pointer names an object that no file declares.',
  REF_UNKNOWN: 'A pointer names an object that neither the files nor the account have.',
  REF_AMBIGUOUS: 'A pointer names an object of which the account has several.',
  PAIR_AMBIGUOUS: 'Several live objects could be the declared one.',
  PAIR_UNKNOWN_ID: 'A lifecycle.id names no live object.',
  PAIR_RESERVED: 'A declared object is reserved: meshform never writes it.',
  PAIR_NOT_CREATABLE: 'A declared object is not in the account, and the API cannot create it.',
  LIFECYCLE_IGNORED: 'A lifecycle entry has no effect.',
  LIFECYCLE_UNKNOWN_FIELD: 'A lifecycle entry names a field that the kind does not have.',
  LINT_IGNORE_UNKNOWN: 'A lifecycle.lint_ignore names a code that is not the code of a lint.',
  LINT_IGNORE_UNUSED: 'A lifecycle.lint_ignore silences a lint that finds nothing there.',
  FIELD_MAY_BE_RESET: 'A write may reset a field that the server has and meshform does not know.',
  OBJECT_NEEDS: 'An object cannot be made before one of another kind is there.',
  OBJECT_ADOPTED: 'A live object that the base does not know is taken over.',
  OBJECT_LEFT_OUT: 'A live object cannot be declared, so an export leaves it out.',
  OBJECT_NOT_THERE: 'A declared object is not in the account that is exported.',
  OBJECT_STUCK: 'A declaration differs from the account, and an export cannot change it.',
  OBJECT_LAPSED: 'An object has expired or is used up.',
  MEMBERSHIP_CONTRADICTED: 'Two objects say different things of one membership.',
  DIALECT_UNSUPPORTED: 'The server’s dialect cannot hold what is declared.',
  DIALECT_ASSUMED: 'The server did not show its dialect, so dialect `netbird` is assumed.',
  DIALECT_MISMATCH: 'The server speaks another dialect than the one that is set.',
  SERVER_DIFFERS: 'The project file names another server than the command is to talk to.',
  ACCOUNT_DIFFERS: 'The token is of another account than the one the files are for.',
  OBJECT_UNKNOWN: 'A flag names an object that is neither declared nor in the account.',
  SELECTION_UNKNOWN: 'What a run is limited to, or is to leave out, is not there.',
  CONFLICT_KEPT: 'What the account has was kept, although the files say otherwise.',
  KIND_UNAVAILABLE: 'The account does not offer a kind that is needed.',
  BASE_INVALID: 'The base could not be read.',
  BASE_NOT_RECORDED: 'No base of the account is recorded yet.',
  REMOVAL_NOT_PRUNED:
    'A removed object stays in the account, and a base that is recorded now would no longer know it.',
  ACKNOWLEDGED_NO_MORE: 'The time for which drift was acknowledged is over.',
  ACKNOWLEDGED_NOTHING: 'Drift is acknowledged that is not there.',
  UNDO_PARTIAL: 'Something that an apply did does not come back, or not as it was.',
  PLAN_CYCLE: 'Actions wait for each other in a circle.',
  PLAN_STALE: 'The account, or a source of a webhook address, changed since the plan was made.',
  PLAN_FILE_INVALID: 'A plan file cannot be read.',
  REPLACE_REFUSED:
    'A value that never changes is declared otherwise, and nothing may take the place of its object.',
  WIDENS_ACCESS: 'The plan lets machines reach more than before.',
  NARROWS_ACCESS: 'The plan takes access from machines.',
  ACCESS_GAP: 'During the apply, machines lack access that they have before and after it.',
  ACCESS_OPENING:
    'During the apply, machines have access that they have neither before nor after it.',
  ACCESS_TEST_INVALID: 'An access test cannot be judged.',
  REPLACE_INCOMPLETE:
    'An object must be replaced, and the new one would lack a field that the API requires.',
  PROTECTED: 'A protected object would be deleted or replaced.',
  PROJECT_INVALID: 'The project file has a fault.',
} as const;

export const LINT_CODES = {
  ROUTE_OPEN_TO_ALL:
    'A route has no access-control groups: whoever has any policy edge to its routing peer reaches all of it.',
  RULE_LEAKS:
    'A rule also applies to network resources or routes that only another rule of its policy names.',
  POSTURE_SKIPPED:
    'The source of a rule is a single peer, so the posture checks of the policy are ignored toward peers.',
  POSTURE_DANGLING:
    'A policy names a posture check that no file declares; a check that does not exist passes.',
  DROP_OPENS_ROUTE: 'A drop rule lets machines receive a route or a network resource.',
  SSH_ALL_TCP: 'A rule of protocol netbird-ssh without ports means all TCP ports.',
  SSH_TO_RESOURCE:
    'A rule of protocol netbird-ssh leads to a network resource, where it has no effect.',
  SOURCE_IS_RESOURCE: 'The source of a rule is a network resource, so the rule matches nobody.',
  UNROUTED: 'An enabled network resource is in a network without an enabled router.',
  RANGE_OLD_AGENT:
    'A rule between peers has port ranges, which agents older than 0.48 are not sent.',
  RULE_SHADOWED: 'A rule has no effect, because another rule covers all of it.',
  RULE_DUPLICATE: 'Two rules mean the same.',
  RULE_MATCHES_NOBODY: 'A rule can never apply to anybody.',
  GROUP_UNUSED: 'A group is declared and nothing refers to it but what is in it.',
  RANGE_REDUNDANT:
    'A port, a range of ports, a range of addresses or a network resource lies within another one.',
  NAMES_ALIKE: 'Two names differ, and people cannot tell them apart.',
} as const;

/** What a lint is called. */
export type LintCode = keyof typeof LINT_CODES;

/** Whether a text is the code of a lint. */
export const isLintCode = (text: string): text is LintCode => Object.hasOwn(LINT_CODES, text);

/** What a diagnostic is called. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES | LintCode;

export const HAZARD_CODES = {
  DELETES_OBJECT: 'Deletes an object.',
  LOSES_MEMBERS: 'Deletes or replaces a set with members that joined by themselves.',
  REPLACES_OBJECT: 'Deletes an object and creates another in its place.',
  GAP: 'Leaves a moment in which neither the old nor the new object stands.',
  REVEALS_SECRET: 'Makes an object whose secret the server shows once, with no place to keep it.',
  DISABLES_BREAK_GLASS:
    'Switches off, replaces or deletes an object that is marked as break_glass.',
  CUTS_OWN_ACCESS: 'Takes rights from the user whose token calls, or a token that may be the one.',
  CUTS_GUARDED_ACCESS: 'Takes access away that the project guards.',
  WIDENS_ACCESS:
    'Lets machines reach more than `access_thresholds` allows, or more of a guarded target.',
  NARROWS_ACCESS:
    'Takes more access from machines than `access_thresholds` allows, or access to a guarded target.',
  REMOVES_LAST_ADMIN: 'Leaves nobody but the owner who can let others in.',
  CONFLICT: 'Overwrites what was changed in the account since the base, and in the files too.',
  OVER_THRESHOLD: 'Deletes more objects of a kind than the project allows in one run.',
} as const;

export const FAULT_CODES = {
  API_NOT_FOUND: 'The server has no such object.',
  API_CONFLICT: 'The server says that it does not go together with something else.',
  API_INVALID: 'The server does not take what was sent.',
  API_DENIED: 'The token’s user may not do this.',
  API_UNAUTHENTICATED: 'The server does not take the token.',
  API_THROTTLED: 'The server limits how often it may be asked.',
  API_UNAVAILABLE: 'The server failed.',
  API_TIMEOUT: 'There was no answer in time.',
  API_DEADLINE: 'A call was not sent, because the time for the run was over.',
  API_NETWORK: 'There was no connection, or it broke.',
  API_UNTRUSTED: 'The server’s certificate is not trusted.',
  API_BAD_ANSWER: 'What answered does not speak the Management API.',
  SECRET_LOST: 'A secret that the server shows once could not be kept.',
  NOT_KEPT: 'The server took a write with success and did not keep it.',
  OVERWROTE_FOREIGN:
    'Somebody else changed an object while it was written: what was changed may be overwritten.',
  JOURNAL_FAILED: 'A write was not sent, because it could not be written down first.',
  LOCK_LOST: 'A write was not sent, because another run holds the lock now.',
} as const;

/** What a failed call is called, or an action that failed by what its calls did not do. */
export type FaultCode = keyof typeof FAULT_CODES;

/** What a hazard is called, in plans and in `--allow`. */
export type HazardCode = keyof typeof HAZARD_CODES;
