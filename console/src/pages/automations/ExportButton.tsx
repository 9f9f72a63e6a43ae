// The definition as a portable file, saved by the browser.
import { useMutation } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { exportButton as texts } from "../../texts/automations/import.ts"
import { Failure } from "../../ui/states.tsx"

export const saveAsFile = (name: string, file: unknown) => {
  const text = `${JSON.stringify(file, null, 2)}\n`
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = address
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, "").slice(0, 80) || "automation"}.json`
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(address), 1_000)
}

export const ExportButton = ({ automationId, name }: { readonly automationId: number; readonly name: string }) => {
  const fetchFile = useMutation({
    mutationFn: () => client.automations.portable({ automation_id: automationId }),
    onSuccess: ({ file }) => saveAsFile(name, file)
  })
  return (
    <>
      <button type="button" className="quiet small" disabled={fetchFile.isPending} onClick={() => fetchFile.mutate()}>
        {texts.export}
      </button>
      {fetchFile.isError && <Failure what={texts.itWasNotExported} error={fetchFile.error} />}
    </>
  )
}
