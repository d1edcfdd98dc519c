package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
	"k8s.io/kubernetes/pkg/controller"
)

// The truth log. The controller manager's own log says `expectations={}`, because the numbers are unexported fields.
// The logger behind that line, however, is handed the expectations themselves, and component-base lets a program
// register a log format. So `--logging-format=rsexp-truth` makes the unmodified controller tell what it holds in
// memory: stderr gets the ordinary text log, byte for byte in the ordinary form (it is an input of the tool under
// test), and the file named by RSEXP_TRUTH_LOG gets the same messages with the numbers (the judge's copy), one JSON
// object a line:
//
//	t       when, RFC 3339 with nanoseconds
//	at      source file and line of the controller
//	v       verbosity of the message, -1 for an error; absent on the few messages that klog formats itself
//	msg     the message
//	logger  the logger's name, if it has one
//	err     the error, if there is one
//
// and beside them the message's own key/value pairs: expectations as {key, add, del, timestamp}, API objects as
// "namespace/name", numbers, truth values, strings and lists of strings as such, all else as its text.
const (
	truthFormat = "rsexp-truth"
	truthEnv    = "RSEXP_TRUTH_LOG"
)

type truthFactory struct{}

func (truthFactory) Create(c logsapi.LoggingConfiguration, o logsapi.LoggingOptions) (logr.Logger, logsapi.RuntimeControl) {
	// Create cannot fail, and a controller manager without its truth log is of no use to a test.
	path := os.Getenv(truthEnv)
	if path == "" {
		fmt.Fprintf(os.Stderr, "--logging-format=%s needs the path of a file in %s\n", truthFormat, truthEnv)
		os.Exit(1)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		fmt.Fprintln(os.Stderr, "truth log:", err)
		os.Exit(1)
	}

	config := textlogger.NewConfig(textlogger.Verbosity(int(c.Verbosity)), textlogger.Output(o.ErrorStream))
	sink := &truthSink{text: textlogger.NewLogger(config).GetSink(), out: &lineWriter{file: file}}
	return logr.New(sink), logsapi.RuntimeControl{
		SetVerbosityLevel: func(v uint32) error { return config.Verbosity().Set(fmt.Sprint(v)) },
	}
}

// truthSink writes each message twice: through the ordinary text sink, and as a line of the truth log.
type truthSink struct {
	text   logr.LogSink
	out    *lineWriter
	depth  int
	name   string
	values []any
}

var (
	_ logr.CallDepthLogSink       = &truthSink{}
	_ textlogger.KlogBufferWriter = &truthSink{}
)

func (s *truthSink) Init(info logr.RuntimeInfo) {
	s.depth = info.CallDepth
	// One frame more lies between the controller and the text sink: this one.
	s.text.Init(logr.RuntimeInfo{CallDepth: info.CallDepth + 1})
}

func (s *truthSink) Enabled(level int) bool {
	return s.text.Enabled(level)
}

func (s *truthSink) Info(level int, msg string, pairs ...any) {
	s.text.Info(level, msg, pairs...)
	s.record(level, nil, msg, pairs)
}

func (s *truthSink) Error(err error, msg string, pairs ...any) {
	s.text.Error(err, msg, pairs...)
	s.record(-1, err, msg, pairs)
}

func (s *truthSink) WithValues(pairs ...any) logr.LogSink {
	clone := *s
	clone.text = s.text.WithValues(pairs...)
	clone.values = append(s.values[:len(s.values):len(s.values)], pairs...)
	return &clone
}

func (s *truthSink) WithName(name string) logr.LogSink {
	clone := *s
	clone.text = s.text.WithName(name)
	if s.name != "" {
		name = s.name + "." + name
	}
	clone.name = name
	return &clone
}

func (s *truthSink) WithCallDepth(depth int) logr.LogSink {
	clone := *s
	clone.depth += depth
	clone.text = s.text.(logr.CallDepthLogSink).WithCallDepth(depth)
	return &clone
}

// WriteKlogBuffer takes a line of the older, unstructured klog calls, which klog formats itself:
// `I0102 15:04:05.000000    1234 file.go:12] message`.
func (s *truthSink) WriteKlogBuffer(line []byte) {
	s.text.(textlogger.KlogBufferWriter).WriteKlogBuffer(line)
	message := map[string]any{"t": now()}
	if header, rest, ok := bytes.Cut(bytes.TrimRight(line, "\n"), []byte("] ")); ok {
		message["at"] = string(header[bytes.LastIndexByte(header, ' ')+1:])
		message["msg"] = string(rest)
	} else {
		message["msg"] = string(header)
	}
	s.out.write(message)
}

func (s *truthSink) record(v int, err error, msg string, pairs []any) {
	message := map[string]any{}
	for _, list := range [][]any{s.values, pairs} {
		for i := 0; i+1 < len(list); i += 2 {
			message[fmt.Sprint(list[i])] = plain(list[i+1])
		}
	}
	message["t"] = now()
	message["v"] = v
	message["msg"] = msg
	if s.name != "" {
		message["logger"] = s.name
	}
	if err != nil {
		message["err"] = plain(err)
	}
	// Skipped frames: this one and Info or Error; depth counts those of logr.
	if _, file, line, ok := runtime.Caller(s.depth + 2); ok {
		message["at"] = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	s.out.write(message)
}

func now() string {
	return time.Now().UTC().Format(time.RFC3339Nano)
}

// plain turns a logged value into what JSON can hold.
func plain(value any) (result any) {
	// Loggers are handed nil pointers of every kind; what their methods make of those must not stop the controller.
	defer func() {
		if p := recover(); p != nil {
			result = fmt.Sprintf("<%v>", p)
		}
	}()
	switch value := value.(type) {
	case *controller.ControlleeExpectations:
		return expectations(value)
	case nil, bool, string, int, int32, int64, uint32, uint64, []string:
		return value
	case *int32:
		return value
	case types.UID:
		return string(value)
	case error:
		return value.Error()
	case klog.KMetadata: // before Stringer, which prints a whole object
		return klog.KObj(value).String()
	case fmt.Stringer:
		return value.String()
	case logr.Marshaler:
		return fmt.Sprintf("%+v", value.MarshalLog())
	}
	return fmt.Sprintf("%+v", value)
}

func expectations(e *controller.ControlleeExpectations) any {
	if e == nil {
		return nil
	}
	key, _ := controller.ExpKeyFunc(e)
	add, del := e.GetExpectations()
	result := map[string]any{"key": key, "add": add, "del": del, "timestamp": nil}
	// No function gives the timestamp. It is written once, before the controller shares the value, so that reading
	// it here is no race. Should a version drop or retype the field, the log says null.
	field := reflect.ValueOf(e).Elem().FieldByName("timestamp")
	if field.IsValid() && field.Type() == reflect.TypeFor[time.Time]() {
		timestamp := *(*time.Time)(unsafe.Pointer(field.UnsafeAddr()))
		result["timestamp"] = timestamp.UTC().Format(time.RFC3339Nano)
	}
	return result
}

// lineWriter keeps the lines of concurrent workers whole.
type lineWriter struct {
	mutex sync.Mutex
	file  *os.File
}

func (w *lineWriter) write(message map[string]any) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line) // ends the line, too
	encoder.SetEscapeHTML(false)      // `replicas 0->3` stays readable
	if err := encoder.Encode(message); err != nil {
		line.Reset()
		_ = encoder.Encode(map[string]any{"t": message["t"], "msg": message["msg"], "err": err.Error()})
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	_, _ = w.file.Write(line.Bytes())
}
