// The environment of programs that are run: all of ours but what belongs to meshform itself.

/** `env` without the tool's own settings, so that no other program is handed the token of the account. */
export function foreignEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const entries = Object.entries(env).filter(([name]) => !/^MESHFORM_/i.test(name));
  return Object.fromEntries(entries);
}
