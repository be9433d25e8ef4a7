"""Access of devices to each other's memory: `aclrtDeviceEnablePeerAccess` and what belongs to it.

Access is directed: it lets commands of one device reach the memory of another. Copies that have
been issued complete whatever is disabled after (CP-35).
"""

from .calls import Needs, api
from .copies import Copies
from .errors import ErrorCode
from .stream import DeviceState


class PeerCalls(Copies):
    """Calls on pairs of devices."""

    @api("aclrtDeviceCanAccessPeer", Needs.INIT)
    def device_can_access_peer(self, device: int, peer: int) -> bool:
        """Whether commands of `device` could reach the memory of `peer`
        (`aclrtDeviceCanAccessPeer`, CP-33).

        Raises HostError INVALID_DEVICE_ID; INVALID_PARAMETER for a device and itself.
        """
        first, second = self._pair(device, peer)
        return self.reaches(first, second)

    @api("aclrtDeviceEnablePeerAccess")
    def device_enable_peer_access(self, peer: int, flags: int = 0) -> None:
        """Let commands of the current device reach the memory of `peer`
        (`aclrtDeviceEnablePeerAccess`, CP-34). The reverse needs a call of its own; a second call
        is success without effect (CP-35).

        Raises HostError INVALID_DEVICE_ID; INVALID_PARAMETER for the device itself and for flags;
        FEATURE_NOT_SUPPORTED where there is no way.
        """
        device = self.context().device
        _, other = self._pair(device.index, peer)
        if flags != 0:
            self.refuse(
                ErrorCode.INVALID_PARAMETER, f"flags must be 0, got {flags}", "flags", flags
            )
        if not self.reaches(device, other):
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"devices {device.index} and {peer} cannot access each other",
                "peerDeviceId",
                peer,
            )
        device.peers.add(peer)

    @api("aclrtDeviceDisablePeerAccess")
    def device_disable_peer_access(self, peer: int) -> None:
        """Take the access of the current device to `peer` away
        (`aclrtDeviceDisablePeerAccess`, CP-35).

        Raises HostError as enabling does, INVALID_RUNTIME_PARAMETER where it is not enabled.
        """
        device = self.context().device
        self._pair(device.index, peer)
        if peer not in device.peers:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"peer access is not enabled from device {device.index} to device {peer}",
                "peerDeviceId",
                peer,
            )
        device.peers.remove(peer)

    @api("aclrtDevicePeerAccessStatus", Needs.INIT)
    def device_peer_access_status(self, device: int, peer: int) -> int:
        """1 where `device` has been given access to `peer`, else 0
        (`aclrtDevicePeerAccessStatus`, CP-35)."""
        first, _ = self._pair(device, peer)
        return int(peer in first.peers)

    def _pair(self, device: int, peer: int) -> tuple[DeviceState, DeviceState]:
        found = self.device_of(device), self.device_of(peer)
        if device == peer:
            self.refuse(
                ErrorCode.INVALID_PARAMETER,
                f"deviceId {device} cannot be equal to peerDeviceId {peer}",
                "peerDeviceId",
                peer,
            )
        return found
