// The settings of git that name a program, or make git start one. For commands that need no such program, these settings are set
// to values without effect. This is necessary because git cannot skip the settings of a repository, and these may include a file
// of the checkout.

/** A setting: its key, and its value. */
export type Setting = readonly [key: string, value: string];

/** Settings that stop commands from starting programs that a checkout can choose. */
export const NO_PROGRAMS_OF_CHECKOUT: readonly Setting[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', ''],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', ''],
  ['protocol.ext.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['uploadpack.packObjectsHook', ''],
];

/** Settings that stop commands from starting any other program. */
export const NO_PROGRAMS: readonly Setting[] = [
  ...NO_PROGRAMS_OF_CHECKOUT,
  ['protocol.allow', 'never'],
  ['core.attributesFile', '/dev/null'],
  ['core.askPass', ''],
  ['core.editor', ''],
  ['core.gitProxy', ''],
  ['core.sshCommand', ''],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.tool', ''],
  ['diff.guitool', ''],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.submodule', 'short'],
  ['gc.recentObjectsHook', ''],
  ['gpg.program', ''],
  ['gpg.openpgp.program', ''],
  ['gpg.ssh.defaultKeyCommand', ''],
  ['gpg.ssh.program', ''],
  ['gpg.x509.program', ''],
  ['help.browser', ''],
  ['imap.tunnel', ''],
  ['init.templateDir', ''],
  ['instaweb.browser', ''],
  ['instaweb.httpd', ''],
  ['instaweb.modulePath', ''],
  ['interactive.diffFilter', ''],
  ['log.showSignature', 'false'],
  ['merge.guitool', ''],
  ['merge.tool', ''],
  ['sendemail.ccCmd', ''],
  ['sendemail.headerCmd', ''],
  ['sendemail.sendmailCmd', ''],
  ['sendemail.smtpServer', ''],
  ['sendemail.toCmd', ''],
  ['sequence.editor', ''],
  ['status.submoduleSummary', 'false'],
  ['web.browser', ''],
];

/** Keys with a variable part in the middle, each with the value that stops git from starting a program. */
const NAMED: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^filter\..+\.(?:clean|smudge|process)$/i, ''],
  // Without this setting, git refuses a file whose filter is set to nothing.
  [/^filter\..+\.required$/i, 'false'],
  [/^diff\..+\.(?:command|textconv)$/i, ''],
  [/^merge\..+\.driver$/i, ''],
  [/^alias\..+$/i, ''],
  [/^pager\..+$/i, 'false'],
  [/^(?:browser|man|difftool|mergetool|guitool)\..+\.(?:cmd|path)$/i, ''],
  [/^credential\..+\.helper$/i, ''],
  [/^gpg\..+\.program$/i, ''],
  [/^hook\..+\.command$/i, ''],
  [/^hook\..+\.enabled$/i, 'false'],
  [/^remote\..+\.(?:receivepack|uploadpack|vcs)$/i, ''],
  [/^submodule\..+\.update$/i, 'none'],
  [/^tar\..+\.command$/i, ''],
  [/^trailer\..+\.(?:cmd|command)$/i, ''],
];

/** Settings that stop git from starting programs for the `keys` that have a variable part. */
export function namedPrograms(keys: readonly string[]): Setting[] {
  return [...new Set(keys)].flatMap(key => {
    const [, value] = NAMED.find(([pattern]) => pattern.test(key)) ?? [];
    return value === undefined ? [] : [[key, value] as const];
  });
}
