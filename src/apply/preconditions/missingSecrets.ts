// Opens all secrets that an apply needs before its first write, because a partial apply is worse than none.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sortedByPosition } from '../../model/byPosition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Action, Plan } from '../../model/plan.ts';
import { comparedWith, heldValue, isHosted } from '../../model/secrets/hostedSecret.ts';
import { type Secret, type SecretAtPath, secretsIn } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import { isReadFromFile } from '../../source/values/readFromFile.ts';
import type { ApplyHost } from '../host.ts';
import type { Refusal } from '../refusal.ts';
import { type SecretSources, secretOpener } from '../secrets/opener.ts';

/** The refusal if a secret cannot be opened, or if its value differs from the value that the plan was created with. */
export async function missingSecrets(
  plan: Plan,
  inputs: SecretSources,
  earlier: EarlierRun | undefined,
  { tell, cwd }: Pick<ApplyHost, 'tell' | 'cwd'>,
): Promise<Refusal | null> {
  const open = secretOpener(inputs);
  const diagnostics: Diagnostic[] = [];
  const stale: string[] = [];
  let unmarked = 0;
  const known = addresses();
  for (const action of plan.actions) {
    if (action.verb === 'delete' || earlier?.done.has(action.id)) continue;
    for (const placed of secretsIn(action.fields)) {
      const opened = await open(placed.secret);
      if (typeof opened === 'string') {
        unmarked += isUnsure(placed.secret, opened, inputs) ? 1 : 0;
        const double = twice(plan, action, known(action, placed.secret, opened));
        if (double) diagnostics.push(double);
      } else if (opened.code === 'PLAN_STALE') stale.push(messageOf(action, placed, opened));
      else diagnostics.push(missing(plan, action, placed, opened));
    }
  }
  if (diagnostics.length + stale.length > 0 && isElsewhere(plan, cwd))
    return { refused: 'secrets', findings: [elsewhere(plan)] };
  if (diagnostics.length > 0)
    return { refused: 'secrets', findings: sortedByPosition(diagnostics) };
  const [first, ...others] = stale;
  if (first !== undefined) return { refused: 'secrets-changed', messages: [first, ...others] };
  if (unmarked > 0) tell({ note: 'another-key' });
  return null;
}

// Returns a function that finds another action of the same kind with the same address. A plan
// cannot compare an address in a file with the value of a variable, because anybody could then
// declare guesses and see which guess is correct.
function addresses(): (action: Action, secret: Secret, value: string) => Action | undefined {
  const first = new Map<string, Action>();
  return (action, secret, value) => {
    if (!isHosted(secret)) return undefined;
    const name = `${action.kind} ${value}`;
    const other = first.get(name);
    first.set(name, other ?? action);
    return other?.address === action.address ? undefined : other;
  };
}

function twice(plan: Plan, action: Action, other: Action | undefined): Diagnostic | null {
  if (other === undefined) return null;
  const at = placeOf(plan, action);
  return {
    code: 'OBJECT_DUPLICATE',
    severity: 'error',
    message: `${action.address} and ${other.address} have the same address`,
    ...(at && { at }),
    hint: 'remove one of the two declarations, then create a new plan',
  };
}

const placeOf = ({ changes }: Plan, { address }: Action): Diagnostic['at'] =>
  changes.find(change => change.address === address)?.at;

// Another process created the plan, so this process cannot determine whether the value is the same.
const isUnsure = (secret: Secret, value: string, { mark }: SecretSources): boolean =>
  isHosted(secret) &&
  heldValue(secret) === undefined &&
  comparedWith(secret, value, mark) === 'unknown';

// Whether the files of secrets are missing because the command runs in another folder. Such files
// are in the folder of the plan or in the folders of its other layers, and an account of a fleet
// may have no folder of its own. The paths are relative to the working directory in which the plan
// was made.
function isElsewhere({ folder, layers = [], actions }: Plan, cwd: string): boolean {
  const secrets = actions.flatMap(action =>
    action.verb === 'delete' ? [] : secretsIn(action.fields),
  );
  const isOfFile = secrets.some(({ secret }) => isReadFromFile(secret.$secret));
  const home = resolve(cwd, folder);
  return isOfFile && ![home, ...layers.map(way => join(home, way))].some(one => existsSync(one));
}

const elsewhere = ({ folder }: Plan): Diagnostic => ({
  code: 'SECRET_UNDEFINED',
  severity: 'error',
  message: `the plan reads secrets from files in ${quoted(folder)}, and that folder does not exist here`,
  hint: 'apply the plan in the folder in which it was made, beside the same files',
});

const messageOf = (
  { address }: Action,
  { path }: SecretAtPath,
  { message }: { readonly message: string },
): string => `${quoted(path.join('.'))} of ${address}: ${message}`;

function missing(
  plan: Plan,
  action: Action,
  placed: SecretAtPath,
  fault: Pick<Diagnostic, 'message' | 'hint'> & { readonly code: string },
): Diagnostic {
  const at = placeOf(plan, action);
  return {
    code: fault.code === 'SECRET_UNREADABLE' ? 'SECRET_UNREADABLE' : 'SECRET_UNDEFINED',
    severity: 'error',
    message: messageOf(action, placed, fault),
    ...(at && { at }),
    ...(fault.hint !== undefined && { hint: fault.hint }),
  };
}
