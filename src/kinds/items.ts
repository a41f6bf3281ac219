// Which items of two keyed lists are the same thing: by their key, and the last one left on either side.
import { isObject, type Json, type JsonObject } from '../model/value.ts';

/**
 * By desired item, the live item it stands for. Where one item is left on each side, it was renamed:
 * the server knows items by id, so taking it over keeps what hangs on that id (design §3, policies).
 */
export function itemPairs(
  desired: readonly Json[],
  live: readonly Json[],
  by: string,
): Map<Json, JsonObject> {
  const byKey = new Map(live.filter(isObject).map(item => [item[by], item]));
  const pairs = new Map<Json, JsonObject>();
  for (const item of desired) {
    const found = isObject(item) ? byKey.get(item[by]) : undefined;
    if (found) pairs.set(item, found);
  }
  const taken = new Set(pairs.values());
  const [desiredLeft, ...moreDesired] = desired.filter(item => !pairs.has(item));
  const [liveLeft, ...moreLive] = live.filter(isObject).filter(item => !taken.has(item));
  if (desiredLeft && liveLeft && moreDesired.length + moreLive.length === 0) {
    pairs.set(desiredLeft, liveLeft);
  }
  return pairs;
}
