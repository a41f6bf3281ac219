// Which server the account at a Git remote belongs to: the note beside the journals, or the journals before there was one.
import { describe, expect, test } from 'vitest';
import type { SharedNote } from '../../src/apply/journal/sharedJournals.ts';
import {
  addressesOfOther,
  type JournalsOfServer,
  otherServerRefusal,
  type ReachedServer,
} from '../../src/apply/lock/accountServer.ts';

const AT = { account: 'a1', remote: 'origin' };
const OURS = 'https://ours.example';
const THEIRS = 'https://theirs.example';

/** Journals with runs at these servers, and the text of the note. */
function journals(runs: readonly string[], note: string | null = null) {
  const written: { along: SharedNote[]; alone: string[] } = { along: [], alone: [] };
  const fake: JournalsOfServer = {
    note: async () => note,
    all: async () =>
      runs.map((server, i) => ({
        name: `${i}.jsonl`,
        text: `${JSON.stringify({ event: 'begin', server, run: `r${i}`, account: 'a1' })}\n`,
      })),
    put: (_, text) => written.alone.push(text ?? ''),
    putAlong: one => written.along.push(one),
  };
  return { fake, written };
}

const noteWith = (...addresses: readonly unknown[]): string =>
  JSON.stringify({ format_version: '1.0', addresses });

const addressesOf = (text = ''): unknown => JSON.parse(text).addresses;

async function refusedAddresses(
  at: ReturnType<typeof journals>,
  reached: ReachedServer,
): Promise<readonly string[] | null> {
  const refusal = await otherServerRefusal(AT, at.fake, reached);
  return refusal?.refused === 'other-server' ? refusal.addresses : null;
}

describe('the server of an account', () => {
  test('is the first that an apply reaches, which the next push notes', async () => {
    const at = journals([]);
    expect(await refusedAddresses(at, { url: `${OURS}/api/` })).toBeNull();
    expect(addressesOf(at.written.along[0]?.text)).toEqual([OURS]);
    expect(at.written.alone).toEqual([]);
  });

  test.each([
    ['by the note', [], noteWith(THEIRS)],
    ['by the note, whatever runs there were', [OURS], noteWith(THEIRS)],
    ['by the runs of a version without the note', [THEIRS], null],
    ['by the runs, if nobody can read the note', [THEIRS], '{"addresses":[]}'],
    ['by the runs, if the note has no web address', [THEIRS], noteWith('javascript:x', 'http://[')],
    ['by the addresses in the note that are web addresses', [], noteWith(7, `${THEIRS}/api/`, 'x')],
  ])('is another one %s: the run is refused, and notes nothing', async (_, runs, note) => {
    const at = journals(runs, note);
    expect(await refusedAddresses(at, { url: OURS })).toEqual([THEIRS]);
    expect(at.written).toEqual({ along: [], alone: [] });
  });

  test.each([
    'http://ours.example',
    'https://ours.example:8443',
    'https://ours.example/mesh',
    'https://ours.example.evil.example',
  ])('is a different server at the address %s', async url => {
    expect(await refusedAddresses(journals([], noteWith(OURS)), { url })).toEqual([OURS]);
  });

  test('is the same at the same address in another form', async () => {
    const at = journals([], noteWith(OURS));
    expect(
      await refusedAddresses(at, { url: 'https://user:word@OURS.example:443/api/' }),
    ).toBeNull();
    expect(at.written).toEqual({ along: [], alone: [] });
  });

  test('the server of an account is only the server of this run if earlier runs reached it at several servers', async () => {
    const at = journals([THEIRS, OURS]);
    expect(await refusedAddresses(at, { url: OURS })).toBeNull();
    expect(addressesOf(at.written.along[0]?.text)).toEqual([OURS]);
  });

  test.each<[string, Omit<ReachedServer, 'url'>]>([
    ['every address', { isAny: true }],
    ['the noted address', { formerUrl: `${THEIRS}/` }],
  ])('has one address more if a person says that %s leads to it', async (_, said) => {
    const at = journals([], noteWith(THEIRS));
    expect(await refusedAddresses(at, { url: OURS, ...said })).toBeNull();
    expect(at.written.alone.map(addressesOf)).toEqual([[OURS, THEIRS]]);
  });

  test('is still a different server if a person names a former address that is not noted', async () => {
    const at = journals([], noteWith(THEIRS));
    const reached = { url: OURS, formerUrl: 'https://former.example' };
    expect(await refusedAddresses(at, reached)).toEqual([THEIRS]);
  });

  test('is compared for a plan too, which notes nothing', async () => {
    const at = journals([], noteWith(THEIRS));
    expect(await addressesOfOther(at.fake, { url: OURS })).toEqual([THEIRS]);
    expect(await addressesOfOther(at.fake, { url: OURS, formerUrl: THEIRS })).toBeNull();
    expect(await addressesOfOther(at.fake, { url: OURS, isAny: true })).toBeNull();
    expect(await addressesOfOther(journals([]).fake, { url: OURS })).toBeNull();
    expect(at.written).toEqual({ along: [], alone: [] });
  });
});
