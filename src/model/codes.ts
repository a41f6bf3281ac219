// Every code with its meaning. Codes are never renamed; the reference page is generated from here.

export const DIAGNOSTIC_CODES = {
  SOURCE_EMPTY: 'The path contains no desired state.',
  SOURCE_UNREADABLE: 'A file or folder could not be read.',
  SOURCE_MISNAMED: 'A file is not read, because its name does not end in .yaml or .yml.',
  SOURCE_YAML: 'The text is not valid YAML.',
  SOURCE_DUPLICATE_KEY: 'A mapping contains the same key twice.',
  SOURCE_NO_KIND: 'A YAML file has no top-level key that meshform knows.',
  TEMPLATE_UNKNOWN: 'An object or a template extends a template that no file declares.',
  TEMPLATE_CYCLE: 'Templates extend each other in a cycle.',
  TEMPLATE_FIELD: 'A template has a field that belongs to one object.',
  TEMPLATE_UNUSED: 'Nothing extends a template.',
  FOR_EACH_INVALID: 'A `for_each` or a use of its entries is malformed.',
  FOR_EACH_UNKNOWN: 'A `for_each` or a text names a set or a value that does not exist.',
  EXPANSION_LIMIT: 'Templates or `for_each` expand to more than meshform reads.',
  RENDER_MASKED: 'A rendered text has a mask in place of a secret, so it cannot be read back.',
  INPUT_NOT_ALLOWED:
    'A field uses a variable, a file or an environment variable that it may not use.',
  INPUT_FORBIDDEN: 'A file refers to a value that files may never read.',
  INPUT_UNDEFINED:
    'A variable, file or environment variable that a field uses is not set, or the reference to it has no closing brace.',
  INPUT_UNUSED: 'A variable was given for a run, but no file uses it.',
  SECRET_LITERAL: 'A secret is written as plain text.',
  SECRET_UNDEFINED: 'A secret that the apply needs is not set.',
  SECRET_UNREADABLE:
    'A file with a secret cannot be decrypted, or its value cannot be used as a secret.',
  SERVICE_TEMPORARY:
    'A machine publishes a port for a time: the port is listed, and no guard or access test judges it.',
  VALUE_UNSTORED:
    'A declared value is not in the account, because the server accepted it once and did not store it.',
  SECRET_MAY_BE_LOST:
    'An object that shows its secret only once is in the account but not in the base: an earlier apply may not have stored the secret.',
  HOST_NOT_SHOWN:
    'Web addresses of the account are not shown, because one of them may be secret as a whole, and this run does not know that secret.',
  ROTATE_UNKNOWN: 'An object named by --rotate is not declared, or it has no secret.',
  SCHEMA_UNKNOWN_FIELD: 'A field is unknown.',
  SCHEMA_READ_ONLY: 'A field is read-only: the server sets it.',
  SCHEMA_MISSING_FIELD: 'A required field is missing.',
  SCHEMA_EXCLUSIVE: 'Exactly one of several fields must be set.',
  SCHEMA_TYPE: 'A value is of the wrong type.',
  SCHEMA_VALUE: 'A value is not one of the allowed values.',
  SCHEMA_RANGE: 'A number is outside its range.',
  SCHEMA_LENGTH: 'A string is too short or too long.',
  SCHEMA_COUNT: 'A list has too few or too many members.',
  SCHEMA_FORMAT: 'A string does not have the required format.',
  SCHEMA_COMBINATION: 'Two values contradict each other.',
  OBJECT_DUPLICATE: 'Two declarations have the same name.',
  OBJECT_NAME_TAKEN: 'Two objects have the same name, which must be unique on the server.',
  OBJECT_NAMELESS: 'An object has no name.',
  OBJECT_IN_THE_WAY: 'A live object prevents the creation or change of another object.',
  OBJECT_POINTED_AT: 'An object to be deleted is still referenced.',
  REF_MALFORMED: 'A reference is malformed.',
  REF_NOT_DECLARED: 'A reference names an object that no file declares.',
  REF_UNKNOWN: 'A reference names an object that exists neither in the files nor in the account.',
  REF_AMBIGUOUS: 'A reference matches several objects of the account.',
  PAIR_AMBIGUOUS: 'Several live objects match a declaration.',
  PAIR_UNKNOWN_ID: 'No live object has the id that lifecycle.id names.',
  PAIR_RESERVED:
    'A declared object is built in, or belongs to another system: meshform never modifies it.',
  PAIR_NOT_CREATABLE: 'A declared object is not in the account, and the API cannot create it.',
  LIFECYCLE_IGNORED: 'A lifecycle entry has no effect.',
  LIFECYCLE_UNKNOWN_FIELD: 'A lifecycle entry names a field that the kind does not have.',
  END_REFUSED:
    'Something cannot expire: its expiry could give access, is impossible, or has no effect.',
  END_HELD:
    'Something has expired but stays in the account, because another object refers to it, the live object is a different one with the same name, no record shows that these files created it, somebody renamed the object that contains it, or another folder of the account declares it.',
  END_NOT_DECLARED:
    'An apply created an object with an expiry, and no file declares it any more: it stays until it expires, as the journal of the apply shows.',
  GRANT_REFUSED:
    'A grant exceeds the limits of the project, or something under `grants/` cannot expire, changes an object of another file, or takes over an object of the account.',
  REMOVED_BEFORE:
    'The files no longer declare an object that somebody deleted in the account. A different live object has its name now, and stays.',
  BROUGHT_BACK: 'An undo restored an object that no file declares, and it is still in the account.',
  LEFT_BY_RUN:
    'An unfinished apply created, changed or deleted something that no file declares, and the account is still in that state.',
  RUNS_NOT_VERIFIED:
    'Journals of unfinished applies on this machine are damaged or not signed with a key of the run: the plan does not name what those applies left.',
  END_GIVES_ACCESS: 'Removing something that has expired would give somebody access.',
  CLOCK_DIFFERS:
    'The clock of this machine differs by five minutes or more from the clock of the server, so nothing expires.',
  CLOCK_MISSING:
    'A program plans files with expiry times, but gives no time: expired access would count as declared.',
  LINT_IGNORE_UNKNOWN: 'A lifecycle.lint_ignore entry is not the code of a lint.',
  LINT_IGNORE_UNUSED: 'A lifecycle.lint_ignore entry silences a lint that reports nothing.',
  NAME_MOVES:
    'After the plan, a DNS name resolves, or may resolve, to a different target or to none: machines that use it no longer reach the same target.',
  STAYS_ELSEWHERE:
    'A service stays on its cluster, although its domain now belongs to another: the server chooses the cluster only when an object is created or gets another domain.',
  FIELD_MAY_BE_RESET: 'A write may reset a field of the server that meshform does not know.',
  OBJECT_NEEDS:
    'An object cannot be created or changed: an object of another kind that it needs is missing, is not available, or lacks an ability.',
  OBJECT_ADOPTED: 'A live object that is not in the base is adopted.',
  POLICY_ALLOWS_ALL:
    'A policy lets every machine reach every other, so other policies between machines change nothing.',
  OBJECT_LEFT_OUT:
    'An export leaves out a live object: files cannot declare it, it has expired, a machine created it temporarily, or another folder declares it. The note has the reason.',
  OBJECT_NOT_THERE:
    'An object that is declared, or that the given state has, does not exist in the exported account.',
  STATE_FILE_INVALID: 'A state file of OpenTofu or Terraform cannot be read.',
  STATE_SECRET: 'Only the state of OpenTofu has a secret: the account does not return it.',
  STATE_WITHOUT_COUNTERPART:
    'Something in the state of OpenTofu has no counterpart in files, or the files have more than the state.',
  OBJECT_STUCK: 'A declaration differs from the account, and an export cannot change it.',
  OBJECT_LAPSED: 'An object has expired or is used up.',
  OBJECT_DELETED:
    'Somebody deleted a declared object in the account: the plan creates it again, or a later plan does if the object waits.',
  MEMBERS_NOT_RESTORED:
    'A set that somebody deleted is created again without members that no file declares.',
  OBJECT_MISSING: 'An object that the files name was deleted or renamed in the account.',
  OBJECT_AMBIGUOUS:
    'Several live objects have a name that the files use, and it is unknown which one is meant.',
  OBJECT_NAMESAKE: 'Other live objects have the name of an object that the files name.',
  GROUP_NAME_BLOCKED:
    'A group is declared as a group of the identity provider, but the account has another group of that name.',
  OBJECT_WAITS: 'An object waits for a group that the identity provider has not created yet.',
  WAITS_OPEN:
    'An object waits for a group of the identity provider, and meanwhile more access stays open than the files declare.',
  OBJECT_HELD:
    'An object stays as it is, because it cannot be written without an object that is missing.',
  OBJECT_AWAITS_APPROVAL: 'An object cannot be used until somebody approves it.',
  MEMBERSHIP_CONTRADICTED: 'Two objects declare the same membership differently.',
  DIALECT_UNSUPPORTED: 'The server’s dialect does not support what is declared.',
  DIALECT_ASSUMED:
    'The dialect of the server could not be detected, so dialect `netbird` is assumed.',
  DIALECT_MISMATCH: 'The server speaks a different dialect from the configured dialect.',
  SERVER_DIFFERS: 'The project file names a different server from the server of this command.',
  ACCOUNT_DIFFERS:
    'The token belongs to a different account from the account that the files are for.',
  PRUNE_EMPTY_LIST:
    'A list of a kind is empty, so `--prune unmanaged` deletes no objects of that kind.',
  OBJECT_UNKNOWN: 'A flag names an object that exists neither in the files nor in the account.',
  SELECTION_UNKNOWN:
    'A flag that limits the run (--kinds, --only, --except) names something that does not exist.',
  CONFLICT_KEPT:
    '`--resolve live` kept the value or the object of the account, although the files or the undo say otherwise.',
  KIND_UNAVAILABLE: 'The account does not offer a kind that the run needs.',
  BASE_INVALID: 'The base could not be read.',
  BASE_LAYER_EMPTY: 'A layer is not in the base, and counts as empty there.',
  LAYERS_FEWER:
    'A run that deletes has fewer layers than the run that recorded its base, so the objects of a layer would be deleted.',
  LAYER_LOOSENS: 'A layer removes the protection that another layer gives to an object.',
  OVERRIDE_NOTHING: 'An object overrides or omits an object that no earlier layer declares.',
  LAYER_INVALID:
    'A layer cannot be used: it does not exist, is outside the work tree, is read twice, or lacks a layer that it is built on.',
  BASE_NOT_RECORDED: 'No base of the account is recorded yet.',
  BASE_NOT_FOUND:
    'A folder has no base, although other folders of the account have bases, or an apply noted one of this folder.',
  BASE_NAME_TAKEN: 'The base with the name of this folder belongs to another folder.',
  FOLDERS_NOT_READ:
    'A plan is applied where the files of other folders of the account are missing, so it is unknown what these folders have declared since.',
  FOLDER_UNREADABLE:
    'Files of another folder for the same account cannot be read, so nothing may be deleted.',
  BASE_WITHOUT_FOLDER: 'A folder of the account has a base, but no files of its name.',
  BASE_UNRECOGNISED:
    'The address of a webhook in the base was marked with another key, so it is unknown whether it was removed.',
  BASE_NOT_VERIFIED:
    'No key of this run has signed the recorded base, so an apply would refuse it.',
  BASE_WITHOUT_GUARDS:
    'The recorded base contains no guards, so only those of the files count in this run.',
  BASE_OLDER:
    'The recorded base does not follow the newest base that applies on this machine have recorded.',
  BASE_NOT_NOTED:
    'The newest base cannot be recorded on this machine, so this machine will not detect if an older base replaces it.',
  BASE_ONLY_HERE:
    'The clone has a recorded base that the Git remote does not have: it was not pushed, or somebody deleted it there.',
  BASE_FORMER_REF:
    'The run starts from the base that an earlier version recorded for all folders of the account.',
  BASE_NOT_BEHIND:
    'The recorded base is not in the history of the revision to apply, so an apply would undo later changes.',
  SETTINGS_UNMANAGED:
    'Settings were removed from the files: they are no longer managed, and the account keeps them.',
  REMOVAL_NOT_PRUNED:
    'An object removed from the files stays in the account, and recording the base now would forget it.',
  ACKNOWLEDGED_NO_MORE: 'The acknowledgement of drift has expired.',
  ACKNOWLEDGED_NOTHING: 'An acknowledgement matches no drift.',
  UNDO_NOT_RECORDED:
    'The base of the folder cannot record an object that an undo restored, so no later plan removes it.',
  UNDO_PARTIAL: 'An undo cannot restore something, or cannot restore it exactly.',
  UNDO_UNPROVEN:
    'An undo leaves objects that the run may have created, because nothing proves that it created them.',
  PLAN_CYCLE: 'Actions depend on each other in a cycle.',
  PLAN_STALE: 'The account, or a source of a webhook address, changed since the plan was made.',
  PLAN_FILE_INVALID: 'A plan file cannot be read.',
  REPLACE_REFUSED:
    'An immutable field is declared with a different value, and the object cannot be replaced.',
  ACCESS_GAINED: 'The plan gives machines access that they do not have now.',
  ACCESS_LOST: 'The plan removes access from machines.',
  RIGHTS:
    'The plan gives rights: a role, a way to sign in, a token, SSH, or membership in groups for new machines.',
  ACCESS_GAP: 'During the apply, machines lack access that they have before and after it.',
  ACCESS_OPENING:
    'During the apply, machines have access that they have neither before nor after it.',
  ACCESS_TEST_SHRINKS: 'The plan removes machines or addresses from an access test.',
  ACCESS_TEST_INVALID: 'An access test cannot be evaluated.',
  REPLACE_INCOMPLETE:
    'An object must be replaced, and the new one would lack a field that the API requires.',
  ALLOWED_BY_FILES:
    'Without a base, only the project file allows that an object is exposed, and the same change may have added that permission.',
  ALLOWS_NOTHING: 'An allowed hazard does not occur in the plan, or a file cannot allow it.',
  GUARDS_ELSEWHERE: 'Guards of other folders of the account count in this plan too.',
  GUARDS_LOOSENED:
    'The files remove or loosen guards that were applied. In this plan, they still count.',
  PROTECTED:
    'A protected object would be deleted, replaced or renamed so that the list no longer names it.',
  PROJECT_ACCOUNTS_DIFFER: 'Two project files for the same folder name different accounts.',
  PROJECT_FOREIGN:
    'A project file above the desired state belongs to another user of the machine, or other users can write it.',
  PROJECT_INVALID: 'The project file has a fault.',
  FLEET_INVALID: 'The fleet file has a fault.',
  FLEET_NAME: 'An account of a fleet has a name that cannot be a component of a path.',
  FLEET_DUPLICATE: 'Two accounts of a fleet have the same name.',
  FLEET_LAYER: 'A layer of an account of a fleet is not there, or cannot be a layer.',
  FLEET_CREDENTIALS:
    'The file with the credentials of a fleet has a fault, or lacks an entry that an account needs.',
} as const;

export const LINT_CODES = {
  ROUTE_OPEN_TO_ALL:
    'A route has no access-control groups: every machine with a policy to its routing peer reaches all of it.',
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
  SOURCE_IS_RESOURCE: 'The source of a rule is a network resource, so the rule matches no machine.',
  UNROUTED: 'An enabled network resource is in a network without an enabled router.',
  RANGE_OLD_AGENT:
    'A rule between peers has port ranges, which the server does not send to agents older than 0.48.',
  RULE_SHADOWED: 'A rule has no effect, because another rule covers all of it.',
  RULE_DUPLICATE: 'Two rules have the same effect.',
  RULE_MATCHES_NOBODY: 'A rule can never apply to a machine.',
  GROUP_UNUSED: 'A group is declared, but no policy, route or other object uses it.',
  RANGE_REDUNDANT:
    'A port, a range of ports, a range of addresses or a network resource lies within another.',
  NAMES_ALIKE: 'Two different names look the same to a reader.',
} as const;

/** The code of a lint. */
export type LintCode = keyof typeof LINT_CODES;

/** Whether a text is the code of a lint. */
export const isLintCode = (text: string): text is LintCode => Object.hasOwn(LINT_CODES, text);

/** The code of a diagnostic. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES | LintCode;

export const HAZARD_CODES = {
  DELETES_OBJECT: 'Deletes an object.',
  LOSES_MEMBERS: 'Deletes or replaces a set whose members joined by enrolment.',
  LOSES_END:
    'Restores access that was to expire, but that no longer will: no recorded base and no journal contains its expiry.',
  REPLACES_OBJECT: 'Deletes an object and creates another in its place.',
  GAP: 'Deletes the old object before it creates the new object, so that neither exists for a moment.',
  REVEALS_SECRET:
    'Creates an object whose secret the server shows only once, or gives it a new one, without --secrets-to to store it.',
  DISABLES_BREAK_GLASS: 'Disables, replaces or deletes an object that is marked as break_glass.',
  CUTS_OWN_ACCESS:
    'Removes rights of the user whose token is in use, or deletes a token that may be in use.',
  CUTS_USED_ACCESS: 'Removes access that is in use, by the traffic in `--store`.',
  CUTS_GUARDED_ACCESS: 'Removes access of guarded sources to a guarded target.',
  WIDENS_GUARDED_ACCESS: 'Lets somebody reach more of a guarded target.',
  NARROWS_GUARDED_ACCESS: 'Removes access to a guarded target.',
  SHRINKS_GUARDED_TARGET:
    'Removes machines, future members or addresses from a guarded target: another plan can open what the guard no longer covers.',
  EMPTIES_ACCESS_TEST:
    'Empties a line of an access test that forbids access, so that the line passes no matter what is opened.',
  WIDENS_ACCESS: 'Lets machines reach more than `access_thresholds` allows.',
  NARROWS_ACCESS: 'Removes more access than `access_thresholds` allows.',
  REMOVES_LAST_ADMIN: 'Leaves the owner as the only user who can manage access.',
  CONFLICT: 'Overwrites a value that changed since the base both in the account and in the files.',
  LOOSENS_GUARDS:
    'Removes or loosens a guard in the same change that the guard forbids. The plan shows what the guard forbids; allowing this code accepts that the guard no longer applies.',
  RENUMBERS_MACHINES:
    'Changes the address range: every machine gets a new address, and restoring the old range does not restore the old addresses.',
  LOSES_IPV6: 'Removes groups from the list of groups whose machines get an IPv6 address.',
  EXPIRES_MACHINES:
    'Forces users to sign in again on their machines, at once or sooner than before.',
  LOCKS_OUT: 'Changes who can sign in, so that some users may no longer be able to.',
  RENAMES_MACHINES: 'Changes the DNS domain, and with it the name of every machine.',
  EXPOSES_WITHOUT_FILES: 'Lets machines publish ports that no file declares.',
  SERVICE_PUBLIC:
    'Opens a service of the reverse proxy to everybody on the internet, or makes one of its locks weaker.',
  ACCESS_WAITS:
    'Removes access, while its declared replacement waits for a group of the identity provider.',
  DROP_WAITS:
    'A rule that denies access waits for a group of the identity provider: until the next run, users who join the group are not denied.',
  OVER_THRESHOLD: 'Deletes more objects of a kind than the project allows in one run.',
} as const;

export const FAULT_CODES = {
  API_NOT_FOUND: 'The server has no such object.',
  API_CONFLICT: 'The server reports a conflict with another object.',
  API_INVALID: 'The server rejected the request as invalid.',
  API_DENIED: 'The user of the token is not permitted to do this.',
  API_UNAUTHENTICATED: 'The server rejected the token.',
  API_THROTTLED: 'The server limits the rate of requests.',
  API_UNAVAILABLE: 'The server failed.',
  API_TIMEOUT: 'The server did not answer in time.',
  API_LOCK_LOST:
    'A request was not sent, or not again, because the run could not renew its lock in time, or another run has it.',
  API_DEADLINE:
    'A request was not sent, or not again, because the run reached its --deadline, or an account of a fleet its --account-deadline.',
  API_NETWORK: 'The connection failed or was interrupted.',
  API_UNTRUSTED: 'The server’s certificate is not trusted.',
  API_BAD_ANSWER: 'The response does not come from a Management API.',
  SECRET_LOST: 'A secret that the server shows only once could not be stored.',
  NOT_KEPT: 'The server reported success for a write, but did not store it.',
  MEMBERS_NOT_KEPT:
    'A write undid a concurrent change to the members of a set, and the change could not be restored; or a deleted set had members that the plan did not show.',
  CREATED_TWICE:
    'Somebody else created an object of the same name at the same time: the account has two of them now.',
  OVERWROTE_FOREIGN:
    'Somebody else changed an object during the write: their change may be overwritten.',
  JOURNAL_FAILED: 'A write was not sent, because the journal could not record it first.',
  LOCK_LOST: 'A write was not sent, because another run holds the lock now.',
} as const;

/** The code of a failed request, or of an action whose requests did not have the expected result. */
export type FaultCode = keyof typeof FAULT_CODES;

/** The code of a hazard, in plans and in `--allow`. */
export type HazardCode = keyof typeof HAZARD_CODES;
