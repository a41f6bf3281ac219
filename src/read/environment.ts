// The environment of child processes: all variables but meshform's own.

/** `env` without meshform's own variables, so that no other program receives the token of the account. */
export function foreignEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const entries = Object.entries(env).filter(([name]) => !/^MESHFORM_/i.test(name));
  return Object.fromEntries(entries);
}
