// What a notification says: names of other people forge nothing in it, and it is never large.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { messageBody, type Notice } from '../../src/watch/message.ts';
import { SIGNATURE_HEADER, signed, TIMESTAMP_HEADER } from '../../src/watch/signature.ts';
import { anyText, fc } from '../support/seeded.ts';

const object = (address: string, cause = 'exact: ada@example.com') => ({
  address,
  kind: 'policy',
  what: 'has changed in the account',
  cause,
  attribution: { confidence: 'exact', by: { id: '1', name: cause, email: '' } },
});

const notice = (more: Partial<Notice> = {}): Notice => ({
  reasons: ['drift'],
  outcome: 'drift',
  server: 'api.example.com',
  folder: 'network',
  counted: { runs: 3, since: 0 },
  summary: 'Drift: 1 changed, 0 missing, 0 not removed.',
  objects: [object('policy.reach')],
  now: 7_200_000,
  ...more,
});

const plain = (text: string): string => text;
const read = (body: string) => JSON.parse(body);

test('a message has a text, and its content as fields too', () => {
  const { text, meshform } = read(messageBody(notice(), plain));
  expect(text).toContain('*Drift*: `api.example.com`, `network`, run 3 since 1970-01-01T00:00');
  expect(text).toContain('`policy.reach` has changed in the account: `exact: ada@example.com`');
  expect(meshform).toMatchObject({
    format_version: '1.0',
    state: 'drift',
    reasons: ['drift'],
    runs: 3,
    omitted: 0,
    objects: [{ address: 'policy.reach', attribution: { confidence: 'exact' } }],
  });
});

test.each([
  '<!channel>',
  '<@U123>',
  '<https://evil.example|click>',
  '`*x*`',
  'a\n*Drift ended*',
  '&lt;!here&gt;',
])('a name such as %s is not markup', name => {
  const { text } = read(messageBody(notice({ objects: [object(name, name)] }), plain));
  expect(text).not.toMatch(/[<>]/);
  expect(text.split('\n')).toHaveLength(3);
  // Whatever stands between backticks is a name, and nothing of it stands elsewhere.
  expect(text.split('`').length % 2).toBe(1);
});

test('names stay within their quotes, whatever they contain', () =>
  fc.assert(
    fc.property(anyText(), fc.string(), (name, cause) => {
      const { text } = read(messageBody(notice({ objects: [object(name, cause)] }), plain));
      const outside = text
        .split('`')
        .filter((_: string, i: number) => i % 2 === 0)
        .join('');
      expect(outside).toBe(
        '*Drift*: , , run 3 since 1970-01-01T00:00:00.000Z\n\n•  has changed in the account: ',
      );
      expect(text).not.toMatch(/[<>]/);
    }),
    { numRuns: 30 },
  ));

test('secrets are redacted, in the text and in the fields', () => {
  const body = messageBody(
    notice({ summary: 'hush is wrong', objects: [object('a', 'hush')] }),
    text => text.replaceAll('hush', '(secret)'),
  );
  expect(body).not.toContain('hush');
});

test('a message has at most 32 KB, however many differences and however long the names', () => {
  const objects = Array.from({ length: 500 }, (_, i) =>
    object('😀'.repeat(2000) + i, '\u0001'.repeat(9000)),
  );
  const body = messageBody(notice({ objects }), plain);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32_768);
  const { text, meshform } = read(body);
  expect(meshform.objects.length + meshform.omitted).toBe(500);
  expect(text).toMatch(/and \d+ more$/);
});

describe('the signature', () => {
  // As a receiver checks it: docs/drift.md.
  const isOurs = (
    headers: Readonly<Record<string, string>>,
    body: string,
    now: number,
  ): boolean => {
    const timestamp = headers[TIMESTAMP_HEADER] ?? '';
    if (Math.abs(now - Number(timestamp)) > 300) return false;
    const digest = createHmac('sha256', 'key').update(`${timestamp}.${body}`).digest('hex');
    const given = Buffer.from(headers[SIGNATURE_HEADER] ?? '');
    const wanted = Buffer.from(`v1=${digest}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const headers = signed('{"a":1}', 'key', 1_000_000);

  test('covers the body and the time', () => {
    expect(isOurs(headers, '{"a":1}', 1_000)).toBe(true);
    expect(isOurs(headers, '{"a":2}', 1_000)).toBe(false);
    expect(isOurs({ ...headers, [TIMESTAMP_HEADER]: '1001' }, '{"a":1}', 1_000)).toBe(false);
    expect(isOurs(signed('{"a":1}', 'other', 1_000_000), '{"a":1}', 1_000)).toBe(false);
  });

  test('the signature of an old message is refused', () =>
    expect(isOurs(headers, '{"a":1}', 1_301)).toBe(false));
});
