// Secrets that the server showed once, to a run that may not have stored them. If an apply stopped
// before it recorded its base, its objects are in the account but not in the base. Only its journal
// shows whether their secrets were stored.
import type { Kind } from '../../kinds/kind.ts';
import { isSecretRenewable } from '../../kinds/secretRenewal.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { hasExpired } from '../pairing/expiry.ts';
import { bases } from '../scope/planInput.ts';
import type { Pair } from '../types/pairing.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * A note for each object of the account that no base declared and whose secret is shown only once.
 */
export function lostSecrets({
  changes,
  input,
  pairing,
  context,
}: DraftPlan): readonly Diagnostic[] {
  const isCompared = input.settings.recordBase === true || bases(input).length > 0;
  if (!isCompared) return [];
  const renewed = new Set(
    changes.flatMap(({ change }) =>
      change.type === 'replace' || change.renews ? change.address : [],
    ),
  );
  const isOpen = ({ desired, live }: Pair) =>
    context.kind(desired.kind).oneTimeSecret !== undefined &&
    !context.base.has(addressOf(desired.kind, desired.key)) &&
    !renewed.has(addressOf(desired.kind, desired.key)) &&
    !hasExpired(context.kind(desired.kind), live, context.now) &&
    !isUsed(context.kind(desired.kind), live);
  return pairing.pairs.filter(isOpen).map(pair => noteOf(pair, context));
}

// A user who has signed in knows the secret or has changed it. A user who was invited or awaits
// approval never had a secret.
const isUsed = ({ principal }: Kind, { fields, serverFields }: Live): boolean => {
  const fieldOf = (name: string | undefined) =>
    name === undefined ? undefined : (serverFields[name] ?? fields[name]);
  return (
    fieldOf(principal?.pending) === true ||
    fieldOf(principal?.invited) === 'invited' ||
    Date.parse(String(fieldOf(principal?.used))) > 0
  );
};

function noteOf({ desired }: Pair, context: DraftPlan['context']): Diagnostic {
  const kind = context.kind(desired.kind);
  const { oneTimeSecret = '', depth } = kind;
  const name = shellWord(exactPattern({ kind: desired.kind, key: desired.key }, depth));
  const shown = quoted(oneTimeSecret);
  return {
    code: 'SECRET_MAY_BE_LOST',
    severity: 'note',
    message: `${addressOf(desired.kind, desired.key)} is in the account, but not in the base: its ${shown} was shown only once, and may be lost`,
    at: desired.at,
    hint: isSecretRenewable(kind)
      ? `if nobody has its ${shown}, create a new one with --rotate ${name}`
      : `check whether somebody has its ${shown}; the API cannot create another`,
  };
}
