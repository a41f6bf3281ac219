// The last step of a plan. It replaces hidden values by their sources, so that the plan does not
// contain these values.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hostOf, mapHidden } from '../../kinds/values/hidden.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import { hasMasked, type IsOpen, withoutMasked } from '../../kinds/values/masked.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { Change, FieldChange, ShownChange } from '../../model/change.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Action, ShownAction } from '../../model/plan.ts';
import { hostedSecret, type Mark, markOfText } from '../../model/secrets/hostedSecret.ts';
import { hasSecretHost, SECRET_HOST } from '../../model/secrets/secretHost.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import type { Json, Path } from '../../model/value.ts';

/** The inputs of redaction. */
export interface Sealing {
  readonly kind: (name: KindName) => Kind;
  /** The declared fields, by address. */
  readonly declared: ReadonlyMap<Address, Desired>;
  /** The declared objects of each base, by address. */
  readonly bases: readonly ReadonlyMap<Address, Desired>[];
  readonly mark: Mark | undefined;
  /** Web addresses whose host is secret too. */
  readonly secretHosts: ReadonlySet<string>;
}

/** Returns a value of this shape in the form that a plan may contain. */
type Seal = (shape: Shape | undefined, value: Json) => Shown;

/** Returns a live value, at its path in the object, in the form that a plan may contain. */
type LiveSeal = (shape: Shape | undefined, value: Json, path: Path) => Shown;

/** The known secrets among live values. */
interface LiveKnowledge {
  readonly isSecretHost: (address: string) => boolean;
  /** Paths contain the keys of items in keyed lists. */
  readonly isOpen: IsOpen;
}

/** A change without hidden values. */
export function sealedChange(change: Change, sealing: Sealing): ShownChange {
  const { shape } = sealing.kind(change.kind);
  const { before, after, fields, ended, ...rest } = change;
  const declared = declaredSeal(change.address, sealing);
  const live = liveSeal(change, sealing);
  const sealed = (field: FieldChange) => sealedField(shape, field, { live, declared });
  return {
    ...rest,
    ...(before && { before: fieldsOf(live(shape, before, [])) }),
    ...(after && { after: fieldsOf(declared(shape, after)) }),
    fields: fields.map(sealed),
    ...(ended && { ended: { ...ended, otherwise: ended.otherwise.map(sealed) } }),
  };
}

/** An action without hidden values. */
export function sealedAction(action: Action, sealing: Sealing): ShownAction {
  if (action.verb === 'delete') return action;
  const { shape } = sealing.kind(action.kind);
  const seal = declaredSeal(action.address, sealing);
  return { ...action, fields: fieldsOf(seal(shape, action.fields)) };
}

function sealedField(
  shape: Shape,
  change: FieldChange,
  { live, declared }: { readonly live: LiveSeal; readonly declared: Seal },
): FieldChange<Shown> {
  const inner = shapeAt(shape, change.path);
  if (change.type === 'value') {
    const { before, after, ...rest } = change;
    return {
      ...rest,
      ...(before !== undefined && { before: live(inner, before, change.path) }),
      ...(after !== undefined && { after: declared(inner, after) }),
    };
  }
  const items = inner?.type === 'list' ? inner.items : undefined;
  return {
    ...change,
    added: change.added.map(item => declared(items, item)),
    removed: change.removed.map(item => live(items, item, change.path)),
    kept: change.kept.map(item => declared(items, item)),
    foreign: change.foreign.map(item => live(items, item, change.path)),
  };
}

/** Redacts a value that only the account contains, so that there is no source to show instead. */
export const sealedLive =
  ({ isSecretHost, isOpen }: LiveKnowledge): LiveSeal =>
  (shape, value, path) =>
    vouched(
      mapHidden(
        shape,
        // Files and the account may have the items of a list in different orders, so the path uses keys.
        withoutMasked(shape, value, (at, text) =>
          isOpen([...path, ...keyedPath(shape, value, at)], text),
        ),
        text =>
          hostedSecret(text, {
            $secret: '',
            $host: isSecretHost(text) ? SECRET_HOST : hostOf(text),
          }),
      ),
    );

// Redacts live values. The former value of a secret is as secret as its current value. A value that
// may be secret is shown only if a file contains it.
function liveSeal(
  { address, kind: name }: Pick<Change, 'address' | 'kind'>,
  { kind: kindOf, declared, bases, secretHosts }: Sealing,
): LiveSeal {
  const kind = kindOf(name);
  const object = declared.get(address);
  const isHostSecret = object !== undefined && hasSecretHost(object);
  const objects = hasMasked(kind) ? [declared, ...bases] : [];
  const known = objects
    .flatMap(those => those.get(address) ?? [])
    .map(({ fields }) => canonicalFields(kind.shape, fields, 'desired'));
  return sealedLive({
    isSecretHost: text => isHostSecret || secretHosts.has(text),
    isOpen: (path, value) => known.some(fields => valueAt(kind.shape, fields, path) === value),
  });
}

function declaredSeal(address: Address, { declared, mark, secretHosts }: Sealing): Seal {
  const { sources, written, places, placeholders } = declared.get(address)?.hidden ?? {};
  // Only the written text decides whether the host is shown, even if another declaration has the same address.
  const isSecretHost = (text: string, source: string | undefined) =>
    source === undefined ? secretHosts.has(text) : places?.has(source) === true;
  return (shape, value) =>
    vouched(
      mapHidden(shape, value, text => {
        const source = sources?.get(text);
        const sent = placeholders?.get(text) ?? text;
        return hostedSecret(sent, {
          $secret: source ?? '',
          $host: isSecretHost(text, source) ? SECRET_HOST : hostOf(sent),
          ...(source !== undefined &&
            mark && { $digest: markOfText(mark, written?.get(text))(sent) }),
        });
      }),
    );
}

// Marks a value as safe to show. Hidden values were replaced above. Every other secret has been
// represented by its source since the files were read.
const vouched = (value: Json): Shown => value as Shown;

const fieldsOf = (value: Shown): ShownFields => value as ShownFields;
