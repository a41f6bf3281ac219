// The posture check of the operating system. A text that the machine sends identifies its system.
// For Linux and Windows, the check compares the kernel version; for other systems, the version in
// the text.
import type { Fields } from '../../model/value.ts';
import type { Facts } from '../state/accessState.ts';
import { compared, minimumVersionIn, partOf } from './agentVersion.ts';
import { fail, type JudgedCheck, unknown } from './verdict.ts';
import { versionIn, versionOf } from './version.ts';

type System = 'windows' | 'darwin' | 'ios' | 'android' | 'linux';

/** The beginning of the text of each system. */
const SYSTEMS: readonly (readonly [RegExp, System])[] = [
  [/^windows/i, 'windows'],
  [/^(darwin|macos|mac os)/i, 'darwin'],
  [/^(ios|ipados)/i, 'ios'],
  [/^android/i, 'android'],
];

/** The system in a text such as `Ubuntu 22.04` or `macOS 14.2`. Any unknown text counts as Linux. */
function systemOf(os: string): System {
  return SYSTEMS.find(([pattern]) => pattern.test(os))?.[1] ?? 'linux';
}

/** Judges `os_version_check`. */
export function judgeSystemVersion(check: Fields, { os, kernel }: Facts): JudgedCheck {
  if (os === undefined || os === '') return unknown('the operating system is not known');
  const system = systemOf(os);
  const wanted = partOf(check, system);
  if (wanted === undefined) return fail(`${os} is not among the systems of the check`);
  if (system !== 'linux' && system !== 'windows')
    return compared(system, os, versionIn(os), minimumVersionIn(wanted.min_version));
  if (kernel === undefined || kernel === '') return unknown(`the kernel of ${os} is not known`);
  const [plain = ''] = system === 'linux' ? kernel.split('-', 1) : [kernel];
  return compared('kernel', kernel, versionOf(plain), minimumVersionIn(wanted.min_kernel_version));
}
