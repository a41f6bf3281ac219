// Events as the logs of an account hold them, and as `events` prints them.
import type { JsonObject } from '../../../src/model/value.ts';

export const START = Date.parse('2026-01-02T03:04:05Z');
export const time = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
export const AUDIT = '/api/events/audit';
export const PROXY = '/api/events/proxy';

export const audit = (id: number, seconds: number): JsonObject => ({
  id,
  timestamp: time(seconds),
  activity: 'Group created',
  activity_code: 'group.add',
  initiator_id: 'u1',
  initiator_name: 'Ada',
  initiator_email: 'ada@example.com',
  target_id: `g${id}`,
  meta: { name: `group ${id}` },
});
export const access = (id: number, seconds: number): JsonObject => ({
  id: `r${id}`,
  timestamp: time(seconds),
  method: 'GET',
  host: 'wiki.example.com',
  path: `/page/${id}`,
  status_code: 200,
  source_ip: '192.0.2.7',
});
export const newestFirst = (count: number, row: (id: number, seconds: number) => JsonObject) =>
  Array.from({ length: count }, (_, i) => row(count - i, count - i));

export const linesOf = (stdout: string): JsonObject[] =>
  stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
export const idsIn = (stdout: string) => linesOf(stdout).map(({ id }) => id);
