// The folder of the user in which programs store state between runs. No checkout can place files in
// it.
import { homedir, platform } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../../read/environment.ts';

/**
 * The folder of meshform in the state folder of the user; it may not exist. `system`: the operating
 * system, by default that of this machine.
 */
export function stateFolder(env: Environment, system: string = platform()): string {
  const { XDG_STATE_HOME: chosen = '', HOME = '', USERPROFILE = '', LOCALAPPDATA = '' } = env;
  // The specification says that a relative path is not valid and is ignored.
  if (isAbsolute(chosen)) return join(chosen, NAME);
  const home = [HOME, USERPROFILE].find(isAbsolute) ?? homedir();
  switch (system) {
    case 'win32':
      return join(isAbsolute(LOCALAPPDATA) ? LOCALAPPDATA : join(home, 'AppData', 'Local'), NAME);
    case 'darwin':
      return join(home, 'Library', 'Application Support', NAME);
    default:
      return join(home, '.local/state', NAME);
  }
}

const NAME = 'meshform';
