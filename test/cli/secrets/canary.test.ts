// A file that is not what it should be, such as a token that a link leads to, is never quoted: wherever a marked text
// stands in a file, no output has it, but for keys, names of objects and pointers to them.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { load } from '../../support/files.ts';
import { fc } from '../../support/seeded.ts';

const CANARY = 'nbp_CANARY7f3aQ';

/** Text of a file, by where the mark is in it. It is not a key in any. */
const TEXTS: Readonly<Record<string, string>> = {
  'a token alone': `${CANARY}\n`,
  'a token in quotes': `"${CANARY}"`,
  'a token without a line end': CANARY,
  'an environment': `HOME=/root\0MESHFORM_TOKEN=${CANARY}\0PATH=/bin\0`,
  'lines of assignments': `A=1\nMESHFORM_TOKEN=${CANARY}\n`,
  'a list': `- ${CANARY}\n- [${CANARY}]\n`,
  'a credential of git': `https://robot:${CANARY}@git.example.com\n`,
  'a netrc': `machine git.example.com\n  login robot\n  password ${CANARY}\n`,
  'a key in PEM': `-----BEGIN KEY-----\n${CANARY}\n-----END KEY-----\n`,
  JSON: `{"auths":{"ghcr.io":{"auth":"${CANARY}"}}}`,
  'a value under an unknown key': `password: ${CANARY}\n`,
  'values under an unknown key': `clusters: [{ token: ${CANARY} }, "${CANARY}"]\n`,
  'users of another tool': `users: [{ name: admin, user: { token: ${CANARY} } }]\n`,
  'a known key': `groups: ${CANARY}\n`,
  'a known key, as a list of texts': `users: ["${CANARY}"]\n`,
  'a field of the wrong type': `groups: [{ name: a, peers: ${CANARY} }]\n`,
  'a field with an unknown reference': `groups: [{ name: a, note: "\${env:${CANARY}}" }]\n`,
  'an enumeration': `policies: [{ name: p, rules: [{ name: r, protocol: ${CANARY}, sources: [a], destinations: [b] }] }]\ngroups: [{ name: a }, { name: b }]\n`,
  'a format': `groups: [{ name: a }]\nnetworks: [{ name: n, resources: [{ name: r, address: "${CANARY} !", groups: [a] }] }]\n`,
  'an address with more around it': `groups: [{ name: a }]\nnetworks: [{ name: n, resources: [{ name: r, address: "https://${CANARY.replace('_', '')}.example.com/x", groups: [a] }] }]\n`,
  'a list of unique members': `groups: [{ name: a, lifecycle: { ignore: ["${CANARY}", "${CANARY}"] } }]\n`,
  'an id': `groups: [{ name: a, lifecycle: { id: ${CANARY} } }, { name: b, lifecycle: { id: ${CANARY} } }]\n`,
  'names of rules': `groups: [{ name: a }]\npolicies: [{ name: p, rules: [{ name: ${CANARY}, protocol: all, sources: [a], destinations: [a] }, { name: ${CANARY}, protocol: all, sources: [a], destinations: [a] }] }]\n`,
  'the name of an object that lacks another field': `users: [{ name: ${CANARY} }]\n`,
  'a secret field': `identity_providers: [{ type: oidc, name: s, issuer: "https://x.example.com", client_id: x, client_secret: "${CANARY} \${SHELL_VARIABLE}" }]\n`,
  'a secret that lost its way': `notification_channels: [{ type: webhook, target: ${CANARY}, event_types: [user.join] }]\n`,
  'the address of a webhook': `notification_channels: [{ type: webhook, target: { url: "${CANARY}" }, event_types: [user.join] }]\n`,
  'a comment': `# ${CANARY}\ngroup: 1 # ${CANARY}\n`,
  'a comment alone': `# ${CANARY}\n`,
  'a text of several lines': `groups:\n  - |\n    ${CANARY}\n    ${CANARY}\n`,
  'a folded text': `groups: >\n  ${CANARY}\n  ${CANARY}\n`,
  'an anchor': `groups: &${CANARY} x\n`,
  'an alias': `groups: *${CANARY}\n`,
  'a merged alias': `groups: [{ <<: *${CANARY} }]\n`,
  'an alias in itself': `groups: &${CANARY} [*${CANARY}]\n`,
  'a tag': `groups: !${CANARY} x\n`,
  'a tag in full': `groups: !<tag:${CANARY}> x\n`,
  'a directive': `%${CANARY} 1\n---\ngroups: x\n`,
  'a version': `%YAML ${CANARY}\n---\ngroups: x\n`,
  'after a syntax error': `groups: [a\nname: "x\n${CANARY}: ${CANARY}\n`,
  'inside of an open quote': `groups:\n  - name: "${CANARY}\n  - name: b\n`,
  'after a closing quote': `groups:\n  - name: "a" ${CANARY}\n`,
  'an escape': `groups:\n  - name: "\\q${CANARY}"\n`,
  'a reserved start': `groups:\n  - name: @${CANARY}\n  - name: \`${CANARY}\`\n`,
  'a text with a colon': `groups:\n  - name: a: ${CANARY}\n`,
  'a line without a colon': `groups: []\n${CANARY}\n`,
  'a tab': `groups:\n\t- ${CANARY}\n`,
  'a conflict': `<<<<<<< ${CANARY}\ngroups: []\n=======\n>>>>>>> ${CANARY}\n`,
  'an odd key': `? [${CANARY}]\n: 1\n`,
  'an odd key of a mapping': `? { a: ${CANARY} }\n: 1\n`,
  'keys twice': `groups: []\ngroups: [${CANARY}]\n`,
  'a very long line': `password: ${'x'.repeat(70_000)}${CANARY}\n`,
  'a very long value': `groups: ${CANARY.repeat(5_000)}\n`,
  'too deep': `groups: ${'['.repeat(100)}${CANARY}${']'.repeat(100)}\n`,
  'a second document': `groups: [{ name: a }]\n---\n${CANARY}\n`,
  'a value that anchors repeat': `x-a: &a ${CANARY}\ngroups: *a\n`,
  'a default': `groups: [{ name: a, peers: "\${var:UNSET:-${CANARY}}" }]\n`,
};

/** Bytes of files that are not text, with the mark among them. */
const BYTES: Readonly<Record<string, Buffer>> = {
  'invalid UTF-8': Buffer.concat([Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from(CANARY)]),
  'UTF-16': Buffer.from(`\ufeff${CANARY}`, 'utf16le'),
};

const COMMANDS = [
  ['validate', 'network'],
  ['validate', 'network', '--format', 'json'],
  ['validate', 'network', '--strict'],
  ['plan', 'network'],
  ['plan', 'network', '--format', 'json'],
  ['drift', 'network', '--format', 'json'],
];

/** Everything that the commands say of files, and how they end. */
async function said(files: Readonly<Record<string, string | Buffer>>) {
  // Nobody listens there: a command that came that far would end with another code.
  const env = { MESHFORM_URL: 'http://127.0.0.1:1', MESHFORM_TOKEN: 'unused' };
  return inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const ended = [];
    for (const argv of COMMANDS) ended.push(await meshform(argv, { cwd, env }));
    return {
      codes: ended.map(({ code }) => code),
      text: ended.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
    };
  });
}

describe('no output quotes a file of desired state with', () => {
  test.each(Object.entries({ ...TEXTS, ...BYTES }))('%s', async (_, content) => {
    const { codes, text } = await said({ 'network/a.yaml': content });
    expect(codes).toEqual(COMMANDS.map(() => 3));
    expect(text.toLowerCase()).not.toContain('canary');
  });

  test('any of these contents as a base', () =>
    inFolder(async cwd => {
      for (const [name, content] of Object.entries({ ...TEXTS, ...BYTES })) {
        const folder = name.replaceAll(' ', '-');
        await mkdir(join(cwd, folder));
        await writeFile(join(cwd, folder, 'a.yaml'), content);
        await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]\n');
        const ended = await meshform(['plan', 'network.yaml', '--base', folder], { cwd });
        expect(`${ended.stdout}${ended.stderr}`.toLowerCase()).not.toContain('canary');
        expect(ended.code, name).toBe(3);
      }
    }));
});

describe('no output quotes a project file with', () => {
  const OWN: Readonly<Record<string, string>> = {
    url: `url: ${CANARY}\n`,
    'url from outside': `url: "\${env:${CANARY}}"\n`,
    dialect: `dialect: ${CANARY}\n`,
    exclude: `exclude: ["${CANARY}", "${CANARY}"]\n`,
    allow: `allow: [${CANARY}]\n`,
    'a hazard': 'allow: [CANARY]\n',
    protect: `protect: [${CANARY}/a]\n`,
    acknowledge: `acknowledge: [{ object: canary/a, reason: ${CANARY}, until: ${CANARY} }]\n`,
    'an unknown kind': `acknowledge: [{ object: canary/a, reason: ${CANARY}, until: 2026-12-31 }]\n`,
    thresholds: `thresholds: { groups: { share: ${CANARY}, deletes: "${CANARY}" } }\n`,
    'former inputs': `inputs: { a: ${CANARY} }\n`,
  };
  const FOREIGN = Object.entries(TEXTS).filter(([name]) => !/comment alone/.test(name));

  test.each([...Object.entries(OWN), ...FOREIGN])('%s', async (_, content) => {
    const files = { 'network/a.yaml': 'groups: [{ name: a }]\n', 'network/meshform.yaml': content };
    const { codes, text } = await said(files);
    expect(codes).toEqual(COMMANDS.map(() => 3));
    expect(text.toLowerCase()).not.toContain('canary');
  });
});

test('an unknown key is quoted on one line, and cut to a maximum length', async () => {
  const key = `${CANARY}${'k'.repeat(900)}`;
  const { text } = await said({ 'network/a.yaml': `"${key}": ${CANARY}x\n` });
  expect(text).toContain(`\`${key.slice(0, 57)}…\``);
  expect(text).not.toContain(key.slice(0, 58));
  expect(text).not.toContain(`${CANARY}x`);
});

const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** What the examples declare, every kind among them, a document for each file. */
const DOCUMENTS = readdirSync(EXAMPLES, { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.yaml') && !name.endsWith('meshform.yaml'))
  .map(name => parse(readFileSync(new URL(name, EXAMPLES), 'utf8')) as JsonObject);

/** The values in an object, by the way that leads to each. */
function waysInto(part: Json, path: readonly string[] = []): (readonly string[])[] {
  const parts = isList(part) ? [...part.entries()] : isObject(part) ? Object.entries(part) : [];
  return [path, ...parts.flatMap(([key, item]) => waysInto(item, [...path, String(key)]))];
}

function replaced(part: Json, path: readonly string[], by: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (isList(part))
    return part.map((item, i) => (String(i) === step ? replaced(item, rest, by) : item));
  return isObject(part) ? { ...part, [step]: replaced(part[step] ?? null, rest, by) } : part;
}

test('messages about different values contain only names of objects and references to them', () => {
  const by = fc.constantFrom<Json[]>(
    CANARY,
    [CANARY],
    [CANARY, CANARY],
    { key: CANARY },
    `https://${CANARY}/`,
    `${CANARY} \${env:A}`,
    `\${var:A} ${CANARY}`,
    `10.0.0.0/${CANARY}`,
    `${CANARY}@`,
  );
  const generated = fc.constantFrom(...DOCUMENTS).chain(document =>
    fc.record({
      document: fc.constant(document),
      path: fc.constantFrom(...waysInto(document)),
      by,
    }),
  );
  fc.assert(
    fc.property(generated, ({ document, path, by: value }) => {
      const { diagnostics } = load(stringify(replaced(document, path, value)));
      const quoting = diagnostics.filter(
        ({ code, message, hint = '' }) =>
          !NAMING.has(code) && `${message} ${hint}`.toLowerCase().includes('canary'),
      );
      expect(quoting).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

/** Findings between objects, which name them. */
const NAMING = new Set([
  'REF_NOT_DECLARED',
  'REF_MALFORMED',
  'OBJECT_DUPLICATE',
  'PAIR_RESERVED',
  'OBJECT_NAMELESS',
  // The names of a set, and of an object of an earlier layer.
  'FOR_EACH_UNKNOWN',
  'OVERRIDE_NOTHING',
]);
