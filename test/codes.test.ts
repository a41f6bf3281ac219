// Every code that the docs list is provoked by a test: by a golden file, or by the test that is named here.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_CODES, FAULT_CODES, HAZARD_CODES, LINT_CODES } from '../src/model/codes.ts';

/** Codes that no golden file can show: they need a base, a saved plan, a server, or objects of a made-up account. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ALLOWED_BY_FILES: 'cli/access/access-services.test.ts',
  REMOVED_BEFORE: 'cli/bases/recreated.test.ts',
  RENDER_MASKED: 'cli/files/rendering.test.ts',
  CUTS_USED_ACCESS: 'access/gates/usedAccess.test.ts',
  PROJECT_FOREIGN: 'cli/files/foreign-projects.test.ts',
  FLEET_INVALID: 'fleet/faults.test.ts',
  FLEET_NAME: 'fleet/faults.test.ts',
  FLEET_DUPLICATE: 'fleet/faults.test.ts',
  FLEET_LAYER: 'fleet/faults.test.ts',
  FLEET_CREDENTIALS: 'fleet/faults.test.ts',
  EXPANSION_LIMIT: 'source/templates/templates.test.ts',
  OVERRIDE_NOTHING: 'source/layers/override.test.ts',
  LAYER_LOOSENS: 'source/layers/override.test.ts',
  LAYER_INVALID: 'cli/layers/reading.test.ts',
  BASE_LAYER_EMPTY: 'cli/layers/guards.test.ts',
  LAYERS_FEWER: 'cli/layers/guards.test.ts',
  RIGHTS: 'cli/access/access-new.test.ts',
  GRANT_REFUSED: 'cli/endings/grant.test.ts',
  END_HELD: 'pipeline/endings.test.ts',
  BROUGHT_BACK: 'cli/lock/undo-base.test.ts',
  LEFT_BY_RUN: 'cli/endings/unfinished-grants.test.ts',
  RUNS_NOT_VERIFIED: 'cli/endings/unfinished-grants.test.ts',
  END_GIVES_ACCESS: 'cli/endings/apply-endings.test.ts',
  CLOCK_DIFFERS: 'cli/endings/apply-endings.test.ts',
  GROUP_NAME_BLOCKED: 'cli/plans/identity-provider-groups.test.ts',
  OBJECT_WAITS: 'cli/plans/identity-provider-groups.test.ts',
  WAITS_OPEN: 'cli/plans/identity-provider-groups.test.ts',
  ACCESS_WAITS: 'cli/plans/identity-provider-groups.test.ts',
  DROP_WAITS: 'cli/plans/identity-provider-groups.test.ts',
  STATE_FILE_INVALID: 'export/opentofu/state-file.test.ts',
  STATE_SECRET: 'cli/export/from-state.test.ts',
  STATE_WITHOUT_COUNTERPART: 'cli/export/from-state.test.ts',
  ROUTE_OPEN_TO_ALL: 'access/lints/access.test.ts',
  RULE_LEAKS: 'access/lints/access.test.ts',
  POSTURE_SKIPPED: 'access/lints/access.test.ts',
  POSTURE_DANGLING: 'access/lints/access.test.ts',
  DROP_OPENS_ROUTE: 'access/lints/access.test.ts',
  SSH_ALL_TCP: 'access/lints/access.test.ts',
  SSH_TO_RESOURCE: 'access/lints/access.test.ts',
  SOURCE_IS_RESOURCE: 'access/lints/access.test.ts',
  UNROUTED: 'access/lints/access.test.ts',
  RANGE_OLD_AGENT: 'access/lints/access.test.ts',
  RULE_SHADOWED: 'access/lints/rules.test.ts',
  RULE_DUPLICATE: 'access/lints/rules.test.ts',
  RULE_MATCHES_NOBODY: 'access/lints/rules.test.ts',
  RANGE_REDUNDANT: 'access/lints/names.test.ts',
  NAMES_ALIKE: 'access/lints/names.test.ts',
  LINT_IGNORE_UNUSED: 'access/lints/silences.test.ts',
  ACCOUNT_DIFFERS: 'engine/checks/account.test.ts',
  DIALECT_ASSUMED: 'api/dialect.test.ts',
  DIALECT_MISMATCH: 'api/dialect.test.ts',
  PROJECT_ACCOUNTS_DIFFER: 'source/join-projects.test.ts',
  OBJECT_DELETED: 'cli/missing/deleted-groups.test.ts',
  MEMBERS_NOT_RESTORED: 'cli/missing/deleted-groups.test.ts',
  OBJECT_MISSING: 'cli/missing/missing-objects.test.ts',
  PAIR_AMBIGUOUS: 'engine/pairing/pair.test.ts',
  REF_AMBIGUOUS: 'engine/checks/references.test.ts',
  OBJECT_NAMESAKE: 'cli/missing/namesakes.test.ts',
  OBJECT_HELD: 'cli/missing/missing-objects.test.ts',
  OBJECT_AWAITS_APPROVAL: 'engine/pairing/approval.test.ts',
  PRUNE_EMPTY_LIST: 'cli/plans/empty-lists.test.ts',
  SERVER_DIFFERS: 'cli/server/server.test.ts',
  INPUT_UNUSED: 'source/variables.test.ts',
  ACKNOWLEDGED_NO_MORE: 'cli/drift/acknowledged.test.ts',
  ACKNOWLEDGED_NOTHING: 'cli/drift/acknowledged.test.ts',
  NAME_MOVES: 'pipeline/dns.test.ts',
  ALLOWS_NOTHING: 'cli/access/access-guarded.test.ts',
  STAYS_ELSEWHERE: 'pipeline/reverse-proxy.test.ts',
  RENUMBERS_MACHINES: 'pipeline/account-settings.test.ts',
  LOSES_IPV6: 'pipeline/account-settings.test.ts',
  EXPIRES_MACHINES: 'pipeline/account-settings.test.ts',
  LOCKS_OUT: 'pipeline/account-settings.test.ts',
  RENAMES_MACHINES: 'pipeline/account-settings.test.ts',
  EXPOSES_WITHOUT_FILES: 'pipeline/account-settings.test.ts',
  SERVICE_PUBLIC: 'pipeline/public-services.test.ts',
  CUTS_OWN_ACCESS: 'engine/checks/actors.test.ts',
  REMOVES_LAST_ADMIN: 'engine/checks/actors.test.ts',
  SELECTION_UNKNOWN: 'engine/scope/selection.test.ts',
  CONFLICT_KEPT: 'engine/conflicts/conflicts.test.ts',
  SOURCE_MISNAMED: 'read/folder.test.ts',
  PLAN_CYCLE: 'engine/ordering/order.test.ts',
  REPLACE_REFUSED: 'engine/checks/fixed-fields.test.ts',
  BASE_INVALID: 'cli/files/newcomer.test.ts',
  FOLDERS_NOT_READ: 'cli/bases/sinceThePlan.test.ts',
  FOLDER_UNREADABLE: 'cli/bases/elsewhere.test.ts',
  BASE_WITHOUT_FOLDER: 'cli/bases/elsewhere.test.ts',
  BASE_UNRECOGNISED: 'cli/bases/webhooks.test.ts',
  BASE_NOT_FOUND: 'cli/bases/folders.test.ts',
  BASE_NAME_TAKEN: 'cli/bases/folders.test.ts',
  BASE_FORMER_REF: 'cli/bases/folders.test.ts',
  BASE_NOT_VERIFIED: 'cli/bases/recorded.test.ts',
  BASE_WITHOUT_GUARDS: 'cli/bases/guards.test.ts',
  EMPTIES_ACCESS_TEST: 'cli/access/shrinking.test.ts',
  ACCESS_TEST_SHRINKS: 'cli/access/shrinking.test.ts',
  GUARDS_ELSEWHERE: 'cli/bases/guards-elsewhere.test.ts',
  GUARDS_LOOSENED: 'cli/bases/guards.test.ts',
  BASE_ONLY_HERE: 'cli/lock/bases.test.ts',
  BASE_OLDER: 'cli/bases/older.test.ts',
  BASE_NOT_NOTED: 'cli/bases/older.test.ts',
  BASE_NOT_RECORDED: 'cli/files/bases.test.ts',
  BASE_NOT_BEHIND: 'cli/apply/older-revisions.test.ts',
  SETTINGS_UNMANAGED: 'cli/bases/settings.test.ts',
  REMOVAL_NOT_PRUNED: 'cli/apply/unpruned-removals.test.ts',
  SERVICE_TEMPORARY: 'pipeline/reverse-proxy.test.ts',
  VALUE_UNSTORED: 'cli/bases/unstored.test.ts',
  SECRET_MAY_BE_LOST: 'cli/secrets/lost-secrets.test.ts',
  POLICY_ALLOWS_ALL: 'cli/export/export.test.ts',
  OBJECT_ADOPTED: 'export/adoption.test.ts',
  OBJECT_LEFT_OUT: 'cli/export/export.test.ts',
  OBJECT_NOT_THERE: 'cli/export/export.test.ts',
  OBJECT_STUCK: 'cli/export/export.test.ts',
  UNDO_UNPROVEN: 'cli/lock/lost-undo.test.ts',
  UNDO_NOT_RECORDED: 'cli/lock/undo-base.test.ts',
  UNDO_PARTIAL: 'survival/undo.test.ts',
  OBJECT_IN_THE_WAY: 'engine/checks/unique-constraints.test.ts',
  OBJECT_UNKNOWN: 'cli/plans/guards.test.ts',
  FIELD_MAY_BE_RESET: 'pipeline/newer-server.test.ts',
  ROTATE_UNKNOWN: 'engine/diff/secrets.test.ts',
  SECRET_UNREADABLE: 'source/open-secret.test.ts',
  SECRET_LOST: 'apply/revealed.test.ts',
  PLAN_FILE_INVALID: 'report/plan-document.test.ts',
  PLAN_STALE: 'apply/emulator.test.ts',
  CREATED_TWICE: 'apply/created-twice.test.ts',
  MEMBERS_NOT_KEPT: 'apply/joining-members.test.ts',
  NOT_KEPT: 'apply/emulator.test.ts',
  JOURNAL_FAILED: 'apply/journal.test.ts',
  OVERWROTE_FOREIGN: 'survival/editor.test.ts',
  API_NOT_FOUND: 'api/failure.test.ts',
  API_CONFLICT: 'api/failure.test.ts',
  API_INVALID: 'api/failure.test.ts',
  API_DENIED: 'api/failure.test.ts',
  API_UNAUTHENTICATED: 'api/failure.test.ts',
  API_THROTTLED: 'api/failure.test.ts',
  API_UNAVAILABLE: 'api/failure.test.ts',
  API_TIMEOUT: 'api/deadline.test.ts',
  API_NETWORK: 'api/connection.test.ts',
  API_DEADLINE: 'api/deadline.test.ts',
  API_LOCK_LOST: 'api/lock-lost.test.ts',
  API_UNTRUSTED: 'api/connection.test.ts',
  API_BAD_ANSWER: 'api/failure.test.ts',
  HOST_NOT_SHOWN: 'cli/secrets/unknown-addresses.test.ts',
  LOCK_LOST: 'cli/apply/lock.test.ts',
  ACCESS_GAP: 'cli/access/access-steps.test.ts',
  ACCESS_OPENING: 'cli/access/access-steps.test.ts',
};

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The text of a test without the lines that are comments: a code in a comment is not provoked. */
const codeOf = (path: string): string => textOf(path).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(txt|json)$/.test(name))
    .map(name => `${folder}${name}`);

const golden = [...filesIn('source/faults/'), ...filesIn('scenarios/')].map(textOf).join('\n');
const isGolden = (code: string): boolean => new RegExp(`\\b${code}\\b`).test(golden);

describe('every code is provoked', () => {
  const codes = Object.keys({
    ...DIAGNOSTIC_CODES,
    ...LINT_CODES,
    ...HAZARD_CODES,
    ...FAULT_CODES,
  });

  test.each(codes)('%s', code => {
    const elsewhere = ELSEWHERE[code];
    if (elsewhere === undefined) expect(isGolden(code)).toBe(true);
    else expect(codeOf(elsewhere)).toMatch(new RegExp(`expect[^]*${code}`));
  });
});

test('no code is listed here that a golden file shows', () => {
  expect(Object.keys(ELSEWHERE).filter(isGolden)).toEqual([]);
});
