// Settings that override what a user or a repository adds to a push or a fetch. They are needed because commands here name their
// refs themselves and parse the output. Settings for connections and authentication are not overridden.
import type { Setting } from './programKeys.ts';

const ASKED: readonly Setting[] = [
  // An empty value ends the list.
  ['push.pushOption', ''],
  ['push.followTags', 'false'],
  ['push.gpgSign', 'false'],
  // Negotiation would begin with a fetch, which a remote may not allow.
  ['push.negotiate', 'false'],
  ['push.useForceIfIncludes', 'false'],
  ['fetch.prune', 'false'],
  ['fetch.pruneTags', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['color.ui', 'false'],
  ['color.advice', 'false'],
  ['color.push', 'false'],
  ['color.remote', 'false'],
  ['color.transport', 'false'],
];

/** Settings that make a command do only what it is asked to do at this remote. */
export const onlyAsked = (command: string, remote: string): readonly Setting[] => [
  ...ASKED,
  [`remote.${remote}.mirror`, 'false'],
  [`remote.${remote}.prune`, 'false'],
  [`remote.${remote}.pruneTags`, 'false'],
  // Without this, a clone that follows all refs would get the pushed refs without their objects.
  ...(command === 'push' ? [[`remote.${remote}.fetch`, '^refs/meshform*'] as const] : []),
];
