// The consent of oidc-provider as its documentation shows it: whoever comes is signed in, and a press on Allow grants what was asked for.
const page = (uid) => `<!doctype html><title>Connect</title><link rel=icon href="data:,">
<form method=post action="/interaction/${uid}"><button value=approve name=decision>Allow</button></form>`

/** @param provider of oidc-provider; answers whether the request was one of these pages */
export const consentOf = (provider) => async (request, response) => {
  if (!request.url.startsWith("/interaction/")) return false
  const { grantId, params, prompt, session, uid } = await provider.interactionDetails(request, response)
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "account-0" } })
  } else if (request.method === "GET") {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page(uid))
  } else {
    const existingGrant = grantId === undefined ? undefined : await provider.Grant.find(grantId)
    const grant = existingGrant ?? new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  return true
}
