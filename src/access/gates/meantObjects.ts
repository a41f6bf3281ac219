// Finds the objects that selectors denote according to the base. If an object was renamed in the
// account, its guard or test still applies to it, and not to another object that now has the name.
import type { AccessGuards, GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import { fateText, type MissingObject } from '../../model/missingObjects.ts';
import {
  type Address,
  type Key,
  type KindName,
  kindName,
  type RemoteId,
} from '../../model/names.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { nameText } from '../../model/text/visible.ts';
import { checkedSelector, isSelectorType, type Selector } from '../ask/selector.ts';
import type { AccessState } from '../state/accessState.ts';
import { idsIn, idsNamed } from './sameObject.ts';

/** The facts about names from the plan, the base and the audit log. */
export interface MeantNames {
  /** The live object that a name denotes in the plan. */
  readonly idOf: (kind: KindName, key: Key) => RemoteId | undefined;
  readonly ids: readonly RecordedId[];
  /** The object that a name denotes, by address; null if the name now belongs to another object. */
  readonly meant: ReadonlyMap<Address, RemoteId | null>;
  readonly missing: readonly MissingObject[];
}

/** The selectors of a run, resolved to objects. */
export interface MeantObjects {
  /** The guards. A name that denotes another object after the plan is replaced by the id. */
  readonly guards: <T extends Pick<AccessGuards, 'guarded'>>(guards: T) => T;
  readonly tests: (tests: readonly AccessTest[]) => readonly AccessTest[];
  /** The selector, with the id of the object if it is known. */
  readonly selector: (selector: Selector) => Selector;
  /**
   * What happened to the object of a selector, in words that follow its name; undefined if the
   * object is found.
   */
  readonly lost: (selector: Selector) => string | undefined;
}

/** The objects that selectors denote in an account before and after a plan. */
export function meantObjects(
  names: MeantNames,
  before: AccessState,
  after: AccessState,
): MeantObjects {
  const found = meaningIn(names, before);
  const text = (written: string): string => {
    const selector = checkedSelector(written);
    const { id } = found(selector);
    if (id === undefined) return written;
    // If the plan itself deletes or renames the object, the name is used.
    const isNamed = [before, after].some(state => {
      const bearers = idsNamed(state, selector);
      return bearers.length === 1 && bearers[0] === id;
    });
    return isNamed ? written : `${selector.type}/id:${id}${written.slice(selector.text.length)}`;
  };
  return {
    guards: guards => ({ ...guards, guarded: guards.guarded.map(one => guardedWith(one, text)) }),
    tests: tests => tests.map(test => testWith(test, text)),
    selector: selector => {
      const { id } = found(selector);
      return id === undefined ? selector : { ...selector, name: `id:${id}` };
    },
    lost: selector => found(selector).lost,
  };
}

/**
 * The id of the object that a selector denotes, or what happened to the object. Both are absent if
 * nothing is known about the object.
 */
interface Meaning {
  readonly id?: string;
  readonly lost?: string;
}

function meaningIn(
  { idOf, ids, meant, missing }: MeantNames,
  before: AccessState,
): (selector: Selector) => Meaning {
  const recorded = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const gone = new Map(missing.map(one => [addressOf(one.kind, one.key), one]));
  return selector => {
    const { type, name } = selector;
    if (!isSelectorType(type) || idInKey(name as Key) !== null) return {};
    const kind = kindName(type);
    const address = addressOf(kind, name as Key);
    const one = gone.get(address);
    const live = new Set<string>(idsIn(before, type));
    const candidates = [idOf(kind, name as Key), one?.fate?.id, recorded.get(address)];
    const id = candidates.find(other => other !== undefined && live.has(other));
    if (id !== undefined) return { id };
    if (one?.isAmbiguous) return { lost: 'is the name of several objects' };
    if (one) return { lost: `${fateText(one.fate)}${takenText(one.namesakes)}` };
    if (meant.get(address) !== null) return {};
    return { lost: `${fateText(undefined)}${takenText(idsNamed(before, selector))}` };
  };
}

function guardedWith(entry: GuardedAccess, text: (written: string) => string): GuardedAccess {
  const to = text(entry.to);
  return {
    ...entry,
    to,
    ...(to !== entry.to && { written: entry.to }),
    ...(entry.from !== undefined && { from: text(entry.from) }),
  };
}

function testWith(test: AccessTest, text: (written: string) => string): AccessTest {
  const line = (one: WrittenSelector): WrittenSelector => ({ ...one, text: text(one.text) });
  return {
    ...test,
    ...(test.from && { from: line(test.from) }),
    ...(test.to && { to: line(test.to) }),
    allow: test.allow.map(line),
    deny: test.deny.map(line),
    onlyFrom: test.onlyFrom.map(line),
    except: test.except.map(line),
  };
}

const takenText = (namesakes: readonly string[] = []): string =>
  namesakes.length === 0
    ? ''
    : `; another object has its name now: ${namesakes.map(id => nameText(`id:${id}`)).join(', ')}`;
