import { channel, type Said } from './said.ts';

export const OUTSIDE: readonly Said[] = [
  [
    'a variable that is not set',
    'groups: [{ name: "${var:NOWHERE}" }]\n',
    'INPUT_UNDEFINED',
    '--var NOWHERE=VALUE',
  ],
  ['a variable without a name', 'groups: [{ name: "${var:}" }]\n', 'INPUT_UNDEFINED', 'name'],
  [
    'a variable of another name',
    'groups: [{ name: "${var:two words}" }]\n',
    'INPUT_UNDEFINED',
    'letters',
  ],
  [
    'the environment in a name',
    'groups: [{ name: "${env:DB_PASSWORD}" }]\n',
    'INPUT_NOT_ALLOWED',
    '${var:DB_PASSWORD}',
  ],
  [
    'a file in a name',
    'groups: [{ name: "${file:../../outside/token}" }]\n',
    'INPUT_NOT_ALLOWED',
    '${var:',
  ],
  [
    'an encrypted file in a name',
    'groups: [{ name: "${sops:a.enc.yaml#x}" }]\n',
    'INPUT_FORBIDDEN',
    '${var:',
  ],
  [
    'our own token as a secret',
    channel('type: webhook, target: { url: "${env:MESHFORM_TOKEN}" }, event_types: []'),
    'INPUT_FORBIDDEN',
    'another name',
  ],
  [
    'a variable in a secret',
    channel(
      'type: webhook, target: { url: "https://h.example.com", headers: { X-Key: "${var:DB}" } }, event_types: []',
    ),
    'INPUT_FORBIDDEN',
    '${env:',
  ],
];

const secretFrom = (source: string): string =>
  channel(
    `type: webhook, target: { url: "https://h.example.com", headers: { X-Key: "${source}" } }, event_types: []`,
  );

/** Places of secrets: found bad by the apply that needs them. */
export const SECRETS: readonly Said[] = [
  ['a secret that is not set', secretFrom('${env:NOWHERE}'), 'SECRET_UNDEFINED', 'NOWHERE'],
  [
    'a secret from a file that is not there',
    secretFrom('${file:nowhere.key}'),
    'SECRET_UNDEFINED',
    'nowhere.key',
  ],
  [
    'a secret from a file outside',
    secretFrom('${file:../../outside/token}'),
    'INPUT_FORBIDDEN',
    'folder',
  ],
  [
    'a secret from an absolute path',
    secretFrom('${file:/etc/hostname}'),
    'INPUT_FORBIDDEN',
    'a regular file in the folder',
  ],
  [
    'an encrypted file that is not there',
    secretFrom('${sops:nowhere.enc.yaml#x}'),
    'nowhere.enc.yaml',
    '',
  ],
];
