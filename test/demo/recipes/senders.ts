// Signatures as GitHub and Stripe make them, by Web Crypto: another implementation than the one that verifies. pages.test.ts holds them to what
// `@octokit/webhooks-methods` and `stripe` make.

const utf8 = (text: string) => new TextEncoder().encode(text)

const hmac = async (key: string, text: string) => {
  const imported = await crypto.subtle.importKey("raw", utf8(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return Buffer.from(await crypto.subtle.sign("HMAC", imported, utf8(text))).toString("hex")
}

/** Value of `X-Hub-Signature-256`. */
export const githubSignature = async (key: string, body: string) => `sha256=${await hmac(key, body)}`

/** Value of `Stripe-Signature`. @param seconds the signed time */
export const stripeSignature = async (key: string, body: string, seconds: number) =>
  `t=${seconds},v1=${await hmac(key, `${seconds}.${body}`)}`
