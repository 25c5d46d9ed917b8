;;; A session of Emacs in batch mode: it prints what each feature shows, one line each.

(require 'puppet-mode)
(require 'eglot)
(load (expand-file-name "init.el") nil t)
(setq eglot-sync-connect 60 eglot-connect-timeout 90)

(defun settle (wanted)
  "Wait until WANTED returns something, for a minute at most; return that."
  (let ((tries 600) found)
    (while (and (not (setq found (funcall wanted))) (> tries 0))
      (accept-process-output nil 0.1)
      (setq tries (1- tries)))
    found))

(defun behind (text)
  "Move behind the first TEXT of the buffer."
  (goto-char (point-min))
  (search-forward text))

(defun show (feature value)
  "Print the VALUE of a FEATURE as one line."
  (princ (format "%s: %s\n" feature (replace-regexp-in-string "[\n ]+" " " (format "%s" value)))))

(find-file "manifests/init.pp")
(unless (eglot-current-server)
  (apply #'eglot (eglot--guess-contact)))
(show "mode" major-mode)
(flymake-start)
(show "findings" (settle (lambda () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))
(behind "ntp::ser")
(show "definition"
      (let ((place (xref-item-location (car (xref-backend-definitions 'eglot 'symbol)))))
        (list (file-name-nondirectory (xref-location-group place)) (xref-location-line place))))
(show "hover"
      (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                             (eglot--TextDocumentPositionParams))
                            :contents)
                 :value))
(behind "$po")
(show "value"
      (settle (lambda ()
                (let ((text (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                                   (eglot--TextDocumentPositionParams))
                                                  :contents)
                                       :value)))
                  (and (string-match-p "On web1" text) text)))))
(behind "/x\": ow")
(show "completion" (all-completions "ow" (nth 2 (eglot-completion-at-point))))
(insert "ner => 'a'")
(eglot--signal-textDocument/didChange)  ; Emacs does it when it is idle
(behind "ntp::ser")
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
  (eglot-rename "ntp::host"))
(behind "include ")
(show "rename" (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
(goto-char (point-max))
(insert "class ntp::b {\n      notice(1)\n}\n")
(eglot--signal-textDocument/didChange)
(eglot-format-buffer)
(behind "ntp::b {\n")
(show "format" (format "%S" (buffer-substring-no-properties (point) (line-end-position))))
(eglot-shutdown (eglot-current-server))
