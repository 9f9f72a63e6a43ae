// Forms that ask for a passkey: what the browser answers goes into the form, which is then sent like any other.
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

const words = {
  NotAllowedError: "It was cancelled, or took too long. Try again.",
  InvalidStateError: "This device has a passkey for you already.",
  NotSupportedError: "This browser or device cannot do that."
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", async (event) => {
    const { answer } = form.elements
    if (answer.value !== "") return
    event.preventDefault()
    const problem = form.querySelector("[role=alert]")
    problem.textContent = ""
    try {
      const ask = form.dataset.passkey === "create" ? startRegistration : startAuthentication
      answer.value = JSON.stringify(await ask({ optionsJSON: JSON.parse(form.dataset.options) }))
      form.submit()
    } catch (error) {
      problem.textContent = words[error.name] ?? `It did not work: ${error.message}`
    }
  })
}
