// What the public server answered, as it was recorded, against the contract in its dialect. Every answer that tests get from the
// emulator is held against it in the same way (test/emulator/emulated.ts), in both dialects.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/index.ts';
import type { Violation } from '../../src/contract/violations.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { operationOf, undocumented } from '../emulator/documented.ts';
import {
  type Exchange,
  isHook,
  RECORDINGS,
  type Recording,
  readRecording,
  valueAt,
} from '../emulator/replay/line.ts';

const contract = loadContract();

const TIMES: Readonly<Record<string, string>> = {
  '<time>': '2026-08-01T00:00:00Z',
  '<zero>': '0001-01-01T00:00:00Z',
};

/** Recorded in place of what differs from server to server, whatever its type. */
const ANY = '<any>';

/** A recorded value with times in place of their names. */
function asAnswered(value: Json): Json {
  if (typeof value === 'string') return TIMES[value] ?? value;
  if (isList(value)) return value.map(asAnswered);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asAnswered(member)]),
  );
}

function faults({ method, path, answer }: Exchange): readonly string[] {
  const operation = operationOf(`${method} ${path}`, 'netbird');
  if (operation === undefined || typeof answer.status === 'string') return [];
  const body = asAnswered(answer.body);
  const isKnown = ({ at }: Violation) => valueAt(body, at.slice(1).replaceAll('/', '.')) !== ANY;
  return [
    ...contract
      .checkResponse(operation, answer.status, body, 'netbird')
      .filter(isKnown)
      .map(({ sentence }) => sentence),
    ...undocumented(operation, answer.status, body, 'netbird').map(at => `${at} is not described`),
  ];
}

const answeredIn = (name: Recording) =>
  readRecording(name)
    .flatMap(line => (isHook(line) ? [] : [line]))
    .filter(({ answer }) => answer.type === 'application/json');

describe.each(RECORDINGS)('recorded in %s', name => {
  it('every response matches dialect netbird', () => {
    const answered = answeredIn(name);
    expect(answered.length).toBeGreaterThan(600);
    const faulty = answered.flatMap(line => {
      const found = faults(line);
      return found.length === 0 ? [] : [{ line: line.label, found }];
    });
    expect(faulty).toEqual([]);
  });
});

it('many recorded responses do not match the specification', () => {
  const others = answeredIn('sequence').filter(({ method, path, answer }) => {
    const operation = operationOf(`${method} ${path}`, 'netbird');
    if (operation === undefined || answer.status !== 200) return false;
    return contract.checkResponse(operation, 200, asAnswered(answer.body)).length > 0;
  });
  expect(others.length).toBeGreaterThan(100);
});
