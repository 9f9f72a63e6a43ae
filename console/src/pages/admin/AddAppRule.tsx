// A rule for an app that nobody has connected yet, by its client ID (decisions O15).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { addAppRule as texts } from "../../texts/admin/admin.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { type Access, accessWords, CONNECTIONS, connectedApps, nameOf } from "./connectionQueries.ts"
import { ChoiceField, FormField } from "./FormField.tsx"

const RuleForm = ({ close }: { readonly close: () => void }) => {
  const [typed, setTyped] = useState("")
  const [access, setAccess] = useState<Access>("everyone")
  const client_id = typed.trim()
  const listed = useQuery(connectedApps).data?.apps.find((app) => app.client_id === client_id)
  const add = useChange(() => client.appPolicy.setAccess({ body: { client_id, access } }), [CONNECTIONS], close)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (listed === undefined) add.mutate(undefined)
      }}
    >
      <FormField
        label={texts.clientId}
        value={typed}
        change={setTyped}
        required
        maxLength={2048}
        hint={texts.asTheAppsMakerGives}
      />
      <ChoiceField label={texts.whoMayConnectIt} value={access} choices={accessWords} change={setAccess} />
      {listed !== undefined && <p className="note warn">{texts.isInTheList(nameOf(listed))}</p>}
      {add.isError && <Failure what={texts.noRuleWasAdded} error={add.error} />}
      <button type="submit" disabled={listed !== undefined || add.isPending}>
        {texts.addRule}
      </button>
    </form>
  )
}

export const AddAppRule = () => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.addARule}
      </button>
      {isOpen && (
        <Dialog title={texts.addARuleForAnApp} close={close}>
          <RuleForm close={close} />
        </Dialog>
      )}
    </>
  )
}
