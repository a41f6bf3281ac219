// What is a secret, read off the specification by hand: the witness against which the contract's marks are held.

/** Schema and field, and `*` for every value of a map. */
export const SECRETS: readonly string[] = [
  'DirectorySyncARequest.client_secret',
  'DirectorySyncAUpdateRequest.client_secret',
  'DirectorySyncBRequest.service_account_key',
  'DirectorySyncBUpdateRequest.service_account_key',
  'EdrProviderARequest.api_token',
  'EdrProviderBRequest.secret',
  'EdrProviderCRequest.api_key',
  'EdrProviderCRequest.api_secret',
  'EdrProviderDRequest.client_id',
  'EdrProviderDRequest.secret',
  'EventStream.config.*',
  'EventStreamRequest.config.*',
  'IdentityProviderRequest.client_secret',
  'InviteAcceptanceRequest.password',
  'PasswordChangeRequest.new_password',
  'PasswordChangeRequest.old_password',
  'ProxyAuthRequest.header_auths.*.value',
  'ProxyAuthRequest.password_auth.password',
  'ProxyAuthRequest.pin_auth.pin',
  'ProxyHeaderAuth.value',
  'ProxyPasswordAuth.password',
  'ProxyPinAuth.pin',
  'ProxyTargetOptions.custom_headers.*',
  'ProxyTargetRequest.options.custom_headers.*',
  'RegeneratedInvite.invite_token',
  'RevealedProxyToken.plain_token',
  'RevealedToken.plain_token',
  'ScimIntegration.auth_token',
  'ScimToken.auth_token',
  'SetupKey.key',
  'User.password',
  'UserInvite.invite_token',
  'WebhookTarget.headers.*',
  'WebhookTarget.url',
];

/** Words that fields are called by which hold secrets. */
export const SECRET_WORDS = /[._](?:token|secret|password|key|credential|headers)$/;

/** Fields that are called like a secret and are none, each with the reason. */
export const NO_SECRETS: Readonly<Record<string, string>> = {
  'BundleResult.upload_key': 'the name of what was uploaded, which is read to be handed on',
  'RevealedToken.personal_access_token': 'what is known of the token, which is beside it',
  'TemporaryAccessRequest.wg_pub_key': 'a public key',
};
