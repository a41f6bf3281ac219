// The file that counts runs. Unreadable content counts as the initial state, because a broken counter must not stop
// notifications.
import { jsonLine, jsonOf } from '../model/text/jsonText.ts';
import { isList, isObject, type Json } from '../model/value.ts';
import { type Condition, NEW, type NotificationState } from './notificationState.ts';

const VERSION = 1;
const MARK = '{"meshform_drift_state":';

/** The state in a file, or why it is reset, as text that completes "it …". */
export interface ReadState {
  readonly state: NotificationState;
  readonly why?: string;
}

/** Whether a text is such a file, complete or not. */
export const isStateText = (text: string): boolean => text.startsWith(MARK);

/** The text of the file. `subject` identifies the account and the files: counts for another subject are ignored. */
export const stateText = (state: NotificationState, subject: string): string =>
  jsonLine({ meshform_drift_state: VERSION, subject, ...plain(state) });

const plain = ({ drift, unreadable, reported }: NotificationState) => ({
  drift: drift && { ...drift },
  unreadable: unreadable && { ...unreadable },
  reported: [...reported],
});

/** The state for `subject` in the file. */
export function stateFrom(text: string, subject: string): ReadState {
  if (text === '') return { state: NEW };
  const value = jsonOf(text);
  if (!isObject(value)) return { state: NEW, why: 'is not complete' };
  if (value.meshform_drift_state !== VERSION)
    return { state: NEW, why: 'was written by another version of meshform' };
  if (value.subject !== subject)
    return { state: NEW, why: 'counts runs of another account or folder' };
  const drift = conditionOf(value.drift);
  const unreadable = conditionOf(value.unreadable);
  const { reported } = value;
  if (drift === undefined || unreadable === undefined || !isTexts(reported))
    return { state: NEW, why: 'has entries that cannot be used' };
  return { state: { drift, unreadable, reported } };
}

function conditionOf(value: Json | undefined): Condition | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { runs, since, notified } = value;
  if (!isCount(runs) || !isCount(since)) return undefined;
  if (notified !== null && !isCount(notified)) return undefined;
  return { runs, since, notified };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isTexts = (value: Json | undefined): value is readonly string[] =>
  isList(value) && value.every(one => typeof one === 'string');
