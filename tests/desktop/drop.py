# Drops files on a window as a file manager does: the source's side of XDND, version 5
# (https://www.freedesktop.org/wiki/Specifications/XDND).
#   python3 drop.py WINDOW FILE...
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_long, c_ulong, c_void_p, cast
from pathlib import Path

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
XA_ATOM_WIDTH, REPLACE, CURRENT_TIME, NO_MASK = 8, 0, 0, 0


class Start(Structure):
    _fields_ = [("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p)]


class ClientMessage(Structure):
    _fields_ = [("start", Start), ("window", c_ulong), ("message_type", c_ulong), ("format", c_int), ("data", c_long * 5)]


class SelectionRequest(Structure):
    _fields_ = [("start", Start)] + [
        (name, c_ulong) for name in ("owner", "requestor", "selection", "target", "property", "time")
    ]


class SelectionNotify(Structure):
    _fields_ = [("start", Start)] + [(name, c_ulong) for name in ("requestor", "selection", "target", "property", "time")]


x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = c_void_p
x11.XInternAtom.restype = c_ulong
x11.XDefaultRootWindow.restype = c_ulong
x11.XCreateSimpleWindow.restype = c_ulong

target = int(sys.argv[1])
uris = "".join(Path(name).absolute().as_uri() + "\r\n" for name in sys.argv[2:]).encode()
display = c_void_p(x11.XOpenDisplay(None))
if not display:
    sys.exit("no display")


def atom(name):
    return x11.XInternAtom(display, name.encode(), 0)


root = c_ulong(x11.XDefaultRootWindow(display))
source = x11.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, c_ulong(0), c_ulong(0))
selection, uri_list = atom("XdndSelection"), atom("text/uri-list")
x11.XSetSelectionOwner(display, c_ulong(selection), c_ulong(source), c_ulong(CURRENT_TIME))


def send(event, window):
    space = (c_long * 24)()
    ctypes.memmove(space, byref(event), ctypes.sizeof(event))
    x11.XSendEvent(display, c_ulong(window), 0, c_long(NO_MASK), byref(space))
    x11.XFlush(display)


def tell(name, *data):
    message = ClientMessage(Start(CLIENT_MESSAGE, 0, 1, display), target, atom(name), 32, (c_long * 5)(source, *data))
    send(message, target)


def hand_over(request):
    x11.XChangeProperty(
        display, c_ulong(request.requestor), c_ulong(request.property), c_ulong(request.target), XA_ATOM_WIDTH, REPLACE,
        c_char_p(uris), len(uris),
    )  # fmt: skip
    answer = SelectionNotify(
        Start(SELECTION_NOTIFY, 0, 1, display), request.requestor, selection, request.target, request.property, request.time
    )
    send(answer, request.requestor)


tell("XdndEnter", 5 << 24, uri_list, 0, 0)
tell("XdndPosition", 0, 100 << 16 | 100, CURRENT_TIME, atom("XdndActionCopy"))
while True:
    space = (c_long * 24)()
    x11.XNextEvent(display, byref(space))
    kind = cast(space, POINTER(Start)).contents.type
    if kind == SELECTION_REQUEST:
        hand_over(cast(space, POINTER(SelectionRequest)).contents)
    elif kind == CLIENT_MESSAGE:
        message = cast(space, POINTER(ClientMessage)).contents
        if message.message_type == atom("XdndStatus"):
            if not message.data[1] & 1:
                sys.exit("the window takes no files")
            tell("XdndDrop", 0, CURRENT_TIME, 0, 0)
        elif message.message_type == atom("XdndFinished"):
            break
x11.XCloseDisplay(display)
