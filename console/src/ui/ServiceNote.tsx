// Says on every page that the service cannot be reached, or that it asks us to wait; gone once it answers again.
import { useEffect, useState } from "react"
import { type ServiceState, useService } from "../api/service.ts"
import { serviceNote as texts } from "../texts/ui/ui.ts"

const secondsUntil = (until: number) => Math.max(1, Math.ceil((until - Date.now()) / 1000))

const Busy = ({ until }: { readonly until: number }) => {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    setSeconds(secondsUntil(until))
    const timer = setInterval(() => setSeconds(secondsUntil(until)), 1_000)
    return () => clearInterval(timer)
  }, [until])
  return (
    <>
      {texts.tooManyRequestsTheConsole(<strong>{texts.tooManyRequests}</strong>)}{" "}
      <span aria-hidden="true">{texts.inSecondsS(seconds)}</span>.
    </>
  )
}

const wordsOf = (state: ServiceState) => {
  if (state.kind === "away")
    return texts.noConnectionToTheServiceTheConsole(<strong>{texts.noConnectionToTheService}</strong>)
  return state.kind === "busy" ? <Busy until={state.until} /> : null
}

export const ServiceNote = () => {
  const state = useService()
  return <div role="status">{state.kind !== "here" && <p className="note warn">{wordsOf(state)}</p>}</div>
}
