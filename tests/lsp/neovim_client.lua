-- Runs in neovim without a user interface: starts the server for a file, sends requests, and writes the answers.
-- SERVER and STEPS are JSON: the words of the command; the requests, each [method, line, character]. ANSWERS is a file.
local steps = vim.fn.json_decode(os.getenv("STEPS"))
local answers, findings = {}, {}

vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("FILE")))
vim.bo.filetype = "puppet"
local id = vim.lsp.start_client({
  name = "bunraku",
  cmd = vim.fn.json_decode(os.getenv("SERVER")),
  root_dir = os.getenv("ROOT"),
  handlers = {
    ["textDocument/publishDiagnostics"] = function(_, result)
      for _, one in ipairs(result.diagnostics) do
        table.insert(findings, one.code)
      end
    end,
  },
})
vim.lsp.buf_attach_client(0, id)
local client = vim.lsp.get_client_by_id(id)
vim.wait(20000, function() return client.initialized end, 10)
vim.wait(20000, function() return #findings > 0 end, 10)
for _, step in ipairs(steps) do
  local done = false
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = step[2], character = step[3] },
    context = { includeDeclaration = true },
  }
  client.request(step[1], params, function(problem, result)
    answers[step[1]] = { result = result, problem = problem }
    done = true
  end, 0)
  vim.wait(20000, function() return done end, 2)
end
local out = io.open(os.getenv("ANSWERS"), "w")
out:write(vim.fn.json_encode({ answers = answers, findings = findings }))
out:close()
client.stop()
vim.cmd("qa!")
