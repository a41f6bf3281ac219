// Bad command lines of grants and ends.
import type { Line } from './line.ts';

const FLAGS = ['net', '--for', '4h', '--reason', 'x'];

export const ENDS: readonly Line[] = [
  ['a grant from nothing', ['grant', 'to', 'group/a', ...FLAGS], 64, '`from`', '--for'],
  [
    'a grant without a reason',
    ['grant', 'from', 'group/a', 'to', 'group/a', '--for', '4h'],
    64,
    '--reason',
    '--help',
  ],
  [
    'a grant without a time',
    ['grant', 'from', 'group/a', 'to', 'group/a', '--reason', 'x'],
    64,
    '--for',
    '--help',
  ],
  [
    'a grant of no time',
    ['grant', 'from', 'group/a', 'to', 'group/a', 'net', '--for', '0h', '--reason', 'x'],
    64,
    '--for',
    '--help',
  ],
  [
    'a grant from a user',
    ['grant', 'from', 'user/a', 'to', 'group/a', ...FLAGS],
    64,
    'user/a',
    '--for',
  ],
  [
    'a grant to a route',
    ['grant', 'from', 'group/a', 'to', 'route/a', ...FLAGS],
    64,
    'route/a',
    '--for',
  ],
  [
    'a grant of a port too high',
    ['grant', 'from', 'group/a', 'to', 'group/a:tcp/70000', ...FLAGS],
    64,
    'tcp/70000',
    '--for',
  ],
  [
    'a grant into a file',
    ['grant', 'from', 'group/a', 'to', 'group/a', 'net/a.yaml', '--for', '4h', '--reason', 'x'],
    64,
    'is a file',
    '--for',
  ],
  ['a time of tests that is none', ['test', 'net', '--at', 'noon'], 64, '--at', '--help'],
  [
    'a time of the live account',
    ['access', 'from', 'group/a', '--live', '--at', '2036-12-01'],
    64,
    '--at',
    '--help',
  ],
  [
    'a time to look ahead that is none',
    ['plan', 'net', '--expiring', 'soon'],
    64,
    '--expiring',
    '--help',
  ],
  ['ends without a confirmation', ['expire', 'net'], 64, '--yes', '--yes'],
];
