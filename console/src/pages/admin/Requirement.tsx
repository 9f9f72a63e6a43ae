// The requirement of a second step: in force or not, set and lifted after a question that says whom it keeps out.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { ask, confirmAddress } from "../../api/account.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { instantOf, Time } from "../../ui/Time.tsx"
import { useChange } from "./adminQueries.ts"
import { ChoiceField } from "./FormField.tsx"
import { SIGN_IN_POLICY, type SignInPolicy } from "./signInPolicyQueries.ts"

const delayOf = (days: number) => (days === 0 ? "At once" : `In ${days} days`)

const people = (count: number) => (count === 1 ? "1 person has" : `${count.toLocaleString()} people have`)

const Require = ({ policy }: { readonly policy: SignInPolicy }) => {
  const { grace_days, members, with_second_step } = policy
  const [days, setDays] = useState("7")
  const require = useChange(() => ask("/organization/sign-in/require", { days: Number(days) }), [SIGN_IN_POLICY])
  const lacking = members - with_second_step
  return (
    <>
      <div className="inline">
        <ChoiceField
          label="Require one from everybody"
          className="grace"
          value={days}
          choices={Object.fromEntries(grace_days.map((one) => [String(one), delayOf(one)]))}
          change={setDays}
        />
        <Confirm
          label="Require a second step"
          title="Require a second step from everybody?"
          yes="Require it"
          busy={require.isPending}
          onYes={() => require.mutate(undefined)}
        >
          <p>
            {lacking === 0
              ? "Everybody has one."
              : `${people(lacking)} none: ${days === "0" ? "from now on" : `after ${days} days`} they set one up before they do anything else here.`}{" "}
            Connected apps, keys and tokens go on.
          </p>
        </Confirm>
      </div>
      {require.isError && <Failure what="The policy stays as it is." error={require.error} />}
    </>
  )
}

const Release = () => {
  const release = useChange(() => ask("/organization/sign-in/release"), [SIGN_IN_POLICY])
  return (
    <>
      <Confirm
        label="Make it optional"
        title="Make the second step optional?"
        yes="Make it optional"
        busy={release.isPending}
        onYes={() => release.mutate(undefined)}
      >
        <p>Whoever has none signs in by the password alone. Those who have one keep it.</p>
      </Confirm>
      {release.isError && <Failure what="The policy stays as it is." error={release.error} />}
    </>
  )
}

const ConfirmFirst = () => (
  <p>
    <a className="button quiet" href={confirmAddress()}>
      Confirm that it is you
    </a>{" "}
    <span className="muted">to change anything here.</span>
  </p>
)

export const Requirement = ({ policy }: { readonly policy: SignInPolicy }) => {
  const { has_own, may_change, members, required_from, with_second_step } = policy
  return (
    <section className="card" aria-labelledby="requirement">
      <h2 id="requirement">Second step</h2>
      <p>
        {required_from === null ? (
          "It is optional: everybody decides for themselves."
        ) : (
          <>
            {instantOf(required_from).getTime() > Date.now() ? "It is required from " : "It is required since "}
            <Time at={required_from} full />.
          </>
        )}{" "}
        {people(with_second_step)} one, of {members.toLocaleString()}.
      </p>
      {required_from === null && !has_own ? (
        <p className="note warn">
          You have none yourself. <Link to="/account/sign-in">Set up a second step</Link> before you require one from
          others.
        </p>
      ) : !may_change ? (
        <ConfirmFirst />
      ) : required_from === null ? (
        <Require policy={policy} />
      ) : (
        <Release />
      )}
    </section>
  )
}
