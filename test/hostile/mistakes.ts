// Command lines and files that are wrong, in hostile words: every fault repeats some of them.
import type { JsonObject } from '../../src/model/value.ts';
import { asciiJson } from './disguise.ts';
import { type Fixture, fileName } from './fixture.ts';
import { forgedPlans } from './forged.ts';

/** Runs commands that end in faults. No argument of a process can hold a NUL or half a character. */
export async function mistakes({ home, run, server, write }: Fixture, text: string): Promise<void> {
  const word = text.replaceAll('\0', '').toWellFormed();
  for (const [name, content] of Object.entries(wrongFiles(text)))
    await write(`wrong/${fileName(text)}${name}`, content);
  for (const format of ['text', 'json']) await run(['validate', 'wrong', '--format', format]);
  await run(['plan', 'wrong']);
  await write(fileName(`plan ${text}`), text);
  const there = 'small';
  await write('small/groups.yaml', 'groups: [{ name: a }]');
  await run(['apply', '-', '--yes'], { stdin: text });
  for (const [name, content] of Object.entries(projectFiles(text)))
    await write(`project/${name}`, content);
  await run(['validate', 'project']);
  await run(['apply', 'project'], { isTerminal: true, answer: 'no', env: { MESHFORM_URL: '' } });
  await write('secret/streams.yaml', asciiJson(secretsFrom(text)));
  await run(['apply', 'secret', '--yes']);
  await forgedPlans({ run, write, home }, text);
  for (const [i, argv] of linesOf(word, there).entries())
    await run(
      argv,
      i % 2 === 0 ? {} : { isTerminal: true, answer: 'no', env: { FORCE_COLOR: '1' } },
    );
  for (const [name, value] of Object.entries({
    MESHFORM_URL: word,
    MESHFORM_TOKEN: `${word}\n`,
    MESHFORM_JOURNALS: `/dev/null/${word}`,
    HTTP_PROXY: word,
  }))
    await run(['apply', there, '--yes'], { env: { [name]: value } });
  await run(['plan', there], {
    env: { MESHFORM_URL: `${server.url}/${encodeURIComponent(word)}` },
  });
  await run(['emulator', '--token', `x${word}`], { onDocument: (_, stop) => stop('SIGINT') });
}

const wrongFiles = (text: string): Readonly<Record<string, string>> => ({
  '.txt': text,
  '.yaml': asciiJson({ [`x${text}`]: [], groups: [{ name: text, [text]: text }, { name: text }] }),
  '2.yaml': asciiJson({
    groups: [{ name: { [text]: text } }, { name: 'g', peers: text }, text],
    networks: [
      { name: text, resources: [{ name: text, address: text, groups: [text, text] }] },
      { name: 'n', routers: [{ peer: text, metric: text }, { [text]: null }] },
    ],
    policies: [
      { name: text, rules: [{ name: text, sources: [text], ports: [text], protocol: text }] },
    ],
    setup_keys: [
      { name: text, type: text, expires_in: text, lifecycle: { [text]: text, was: text } },
    ],
    users: [
      { email: text, role: text, lifecycle: { id: text, ignore: [text], renew_before: text } },
    ],
    routes: [
      { network_id: text, network: text, domains: [text], peer: text, groups: [`${text}/a`] },
    ],
    service_users: [{ name: 'a', tokens: [{ name: `$\{env:${text}}`, expires_in: 1 }] }],
    event_streams: [{ platform: text, config: { api_key: `$\{file:${text}}` } }],
  }),
  '5.yaml': asciiJson({
    groups: ['var', 'env', 'file', 'sops'].map(source => ({ name: `$\{${source}:${text}}` })),
  }),
  '3.yaml': `groups: [{ name: a }\n${text}`,
  '4.yaml': `${text}\n: ${text}`,
});

const projectFiles = (text: string): Readonly<Record<string, string>> => ({
  'groups.yaml': 'groups: [{ name: a }]',
  'meshform.yaml': asciiJson({
    url: text,
    allow: [text],
    protect: [text, `group/${text}`],
    inputs: [text],
    acknowledge: [{ object: text, reason: text, until: '2026-02-31' }],
    thresholds: { [text]: { share: 0.3 } },
  }),
});

const secretsFrom = (text: string): JsonObject => ({
  event_streams: ['env', 'file', 'sops'].map(source => ({
    platform: 'datadog',
    config: { api_key: `$\{${source}:${text}}`, api_url: 'https://x' },
  })),
});

function linesOf(word: string, there: string): readonly (readonly string[])[] {
  return [
    [word],
    [`--${word}`],
    ['help', word],
    ['validate', word],
    ['validate', there, `--${word}`],
    ['validate', there, word, word],
    ['plan', there, '--base', word],
    ['plan', there, '--base', 'auto', '--record-base', word],
    ['plan', there, '--forget', word],
    ['plan', there, '--var', word],
    ['plan', there, '--var', `a${word}=${word}`],
    ['plan', there, '--input', word],
    ['plan', there, '--kinds', `${word},`],
    ['plan', there, '--out', fileName(`plan ${word}`)],
    ['plan', there, '--kinds', word],
    ['plan', there, '--only', word],
    ['plan', there, '--except', `group/${word}`],
    ['plan', there, '--rotate', `group/${word}`],
    ['plan', there, '--allow', word],
    ['plan', there, '--resolve', word],
    ['plan', there, '--prune', word],
    ['plan', there, '--dialect', word],
    ['plan', there, '--timeout', word],
    ['plan', there, '--url', word],
    ['plan', there, '--token-file', word],
    ['plan', there, '--ca-file', word],
    ['plan', there, '--fingerprints', word],
    ['plan', there, '--format', word],
    ['plan', there, '--out', `nowhere/${word}`],
    ['show', word],
    ['show', `./${fileName(`plan ${word}`)}`],
    ['apply', `${word}.json`],
    ['apply', fileName(`plan ${word}`), '--digest', word],
    ['apply', there, '--digest', `sha256:${'0'.repeat(64)}`],
    ['apply', there, '--secrets-to', `file:${fileName(`plan ${word}`)}`],
    ['apply', there, '--resume', fileName(`plan ${word}`)],
    ['apply', there, '--yes', '--journal', fileName(`plan ${word}`)],
    ['apply', there, '--resume', word],
    ['apply', '--undo', word],
    ['apply', there, '--secrets-to', word],
    ['apply', there, '--secrets-to', `file:nowhere/${word}`],
    ['apply', there, '--yes', '--journal', `nowhere/${word}`],
    ['drift', there, '--format', word],
    ['export', '--kinds', word],
    ['export', '--only', word],
    ['export', '--only', `group/${word}`],
    ['export', '--out', `/dev/null/${word}`],
    ['export', '--out', fileName(`plan ${word}`)],
    ['export', '--check', word],
    ['explain', word],
    ['explain', `group.${word}`],
    ['api', word],
    ['api', 'list', word],
    ['api', 'describe', word],
    ['api', 'call', word],
    ['api', 'call', 'listGroups', '--param', word],
    ['api', 'call', 'listGroups', '--param', `a${word}=${word}`],
    ['api', 'call', 'getGroup', '--param', `groupId=${word}`],
    ['api', 'call', 'deleteGroup', '--param', `groupId=${word}`],
    ['api', 'call', 'createGroup', '--data', word],
    ['api', 'call', 'createGroup', '--data', `@${word}`],
    ['api', 'call', 'createGroup', '--data', JSON.stringify({ [word]: word })],
    ['api', 'call', 'createGroup', '--data', JSON.stringify({ name: 'a', [word]: word })],
    ['events', word],
    ['events', 'audit', '--since', word],
    ['events', 'audit', '--format', word],
    ['emulator', '--port', word],
    ['emulator', '--account', word],
    ['emulator', '--db', `nowhere/${word}`],
    ['init', there],
  ];
}
